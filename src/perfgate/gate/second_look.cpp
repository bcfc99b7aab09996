#include "perfgate/gate/second_look.h"

#include <algorithm>

#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/decide.h"

namespace perfgate {

std::optional<LogChange> change_less_effects(const Judge& judge, const std::string& case_key,
                                             Metric metric, const SessionMeasurements& tonight,
                                             const std::string& device_id) {
  const CaseRecord& record = judge.baseline().cases.at(case_key);
  const RecordedEffects* effects = judge.effects(sibling_group(case_key, record, metric));
  if (effects == nullptr) {
    return std::nullopt;
  }
  const MetricHistory& history = judge.history(case_key, metric);
  if (history.devices.count(device_id) > 0) {
    return std::nullopt;
  }
  const auto less = less_effects(history, *effects);
  if (!less) {
    return std::nullopt;
  }
  const auto measurements = judged_measurements(tonight, metric, history.clock);
  const double value =
      session_value(measurements, better_of(metric), record.metrics.at(metric).statistic);
  return LogChange{value - less->value - (measurements.size() == 1 ? effects->alone : 0)};
}

SiblingChanges sibling_changes(const Judge& judge, const std::vector<Outcome>& outcomes) {
  SiblingChanges out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid) {
      continue;
    }
    const auto tonight = measurements_of(outcome.reports);
    for (const auto& judgement : outcome.judgements) {
      if (const auto change = change_less_effects(judge, outcome.case_key, judgement.metric,
                                                  tonight, outcome.device_id)) {
        const auto& record = judge.baseline().cases.at(outcome.case_key);
        out.add(sibling_group(outcome.case_key, record, judgement.metric), outcome.case_key,
                *change);
      }
    }
  }
  return out;
}

bool has_second_look(const Judge& judge, const Outcome& outcome) {
  const auto has_siblings = [&](const Judgement& judgement) {
    const auto& record = judge.baseline().cases.at(outcome.case_key);
    const auto group = sibling_group(outcome.case_key, record, judgement.metric);
    return judge.siblings()->has(group, outcome.case_key) &&
           judge.siblings()->beside(group, outcome.case_key, judge.policy().global.least_cases);
  };
  return (passes(outcome.verdict) || outcome.verdict == Verdict::kBlind) &&
         std::any_of(outcome.judgements.begin(), outcome.judgements.end(), has_siblings);
}

}  // namespace perfgate
