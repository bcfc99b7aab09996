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

SiblingChanges siblings_of(const LearnedBaseline& learned,
                           const std::map<std::string, Night>& night) {
  SiblingChanges out;
  for (const auto& [key, session] : night) {
    const auto context = learned.context(session.ceilings);
    const auto& record = learned.baseline().cases.at(key);
    for (const auto& [metric, description] : record.metrics) {
      if (!description.judged || session.measurements.count(metric) == 0) {
        continue;
      }
      if (const auto change = change_less_effects(
              context, key, metric, first_process(session.measurements), session.device_id)) {
        out.add(sibling_group(key, record, metric), key, *change);
      }
    }
  }
  return out;
}

}  // namespace

NightLooks::NightLooks(const LearnedBaseline& learned, const std::map<std::string, Night>& night)
    : learned_(learned), night_(night), siblings_(siblings_of(learned, night)) {}

Judgement NightLooks::judged(const std::string& case_key, Metric metric,
                             const SessionMeasurements& measurements) const {
  const Night& night = night_.at(case_key);
  const auto first = judge(learned_.context_of_night(night.ceilings, nullptr), case_key, metric,
                           measurements, night.device_id);
  return passes(first.verdict) ? judge(learned_.context_of_night(night.ceilings, &siblings_),
                                       case_key, metric, measurements, night.device_id)
                               : first;
}

}  // namespace perfgate
