#include "night_looks.h"

#include "perfgate/gate/second_look.h"

namespace perfgate {
namespace {

// By which a night judges most cases.
SessionMeasurements first_process(SessionMeasurements session) {
  for (auto& [metric, measurements] : session) {
    measurements.resize(1);
  }
  return session;
}

SiblingChanges siblings_of(const Judge& judge, const std::map<std::string, Night>& night) {
  SiblingChanges out;
  for (const auto& [key, session] : night) {
    const auto tonight = judge.of_device(session.ceilings);
    const auto& record = judge.baseline().cases.at(key);
    for (const auto& [metric, description] : record.metrics) {
      if (!description.judged || session.measurements.count(metric) == 0) {
        continue;
      }
      if (const auto change = change_less_effects(
              tonight, key, metric, first_process(session.measurements), session.device_id)) {
        out.add(sibling_group(key, record, metric), key, *change);
      }
    }
  }
  return out;
}

}  // namespace

NightLooks::NightLooks(const Judge& judge, const std::map<std::string, Night>& night)
    : judge_(judge), night_(night), siblings_(siblings_of(judge, night)) {}

Judgement NightLooks::judged(const std::string& case_key, Metric metric,
                             const SessionMeasurements& measurements) const {
  const Night& night = night_.at(case_key);
  const auto first = judgement_of(judge_.of_device(night.ceilings).of_two_looks(nullptr), case_key,
                                  metric, measurements, night.device_id);
  return passes(first.verdict)
             ? judgement_of(judge_.of_device(night.ceilings).of_two_looks(&siblings_), case_key,
                            metric, measurements, night.device_id)
             : first;
}

}  // namespace perfgate
