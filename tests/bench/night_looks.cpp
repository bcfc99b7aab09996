#include "night_looks.h"

#include "perfgate/gate/second_look.h"

namespace perfgate {
namespace {

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
      if (const auto change =
              change_less_effects(context, key, metric, session.measurements, session.device_id)) {
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
  const auto first =
      judge(learned_.context(night.ceilings), case_key, metric, measurements, night.device_id);
  return passes(first.verdict) ? judge(learned_.context(night.ceilings, &siblings_), case_key,
                                       metric, measurements, night.device_id)
                               : first;
}

}  // namespace perfgate
