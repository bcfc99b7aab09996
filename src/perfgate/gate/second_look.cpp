#include "perfgate/gate/second_look.h"

#include <algorithm>

#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/decide.h"

namespace perfgate {

std::optional<double> change_less_effects(const JudgeContext& context, const std::string& case_key,
                                          Metric metric, const SessionMeasurements& tonight,
                                          const std::string& device_id) {
  const CaseRecord& record = context.baseline.cases.at(case_key);
  const RecordedEffects* effects = context.effects.of(sibling_group(case_key, record, metric));
  if (effects == nullptr) {
    return std::nullopt;
  }
  const auto history = history_of(context.baseline, record, metric, context.policy.clock);
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
  return value - less->value - (measurements.size() == 1 ? effects->alone : 0);
}

SiblingChanges sibling_changes(const JudgeContext& context, const std::vector<Outcome>& outcomes) {
  SiblingChanges out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid) {
      continue;
    }
    const auto tonight = measurements_of(outcome.reports);
    for (const auto& judgement : outcome.judgements) {
      if (const auto change = change_less_effects(context, outcome.case_key, judgement.metric,
                                                  tonight, outcome.device_id)) {
        const auto& record = context.baseline.cases.at(outcome.case_key);
        out.add(sibling_group(outcome.case_key, record, judgement.metric), outcome.case_key,
                *change);
      }
    }
  }
  return out;
}

bool has_second_look(const JudgeContext& context, const Outcome& outcome) {
  const auto has_siblings = [&](const Judgement& judgement) {
    const auto& record = context.baseline.cases.at(outcome.case_key);
    const auto group = sibling_group(outcome.case_key, record, judgement.metric);
    return context.siblings->has(group, outcome.case_key) &&
           context.siblings->beside(group, outcome.case_key, context.policy.global.least_cases);
  };
  return (passes(outcome.verdict) || outcome.verdict == Verdict::kBlind) &&
         std::any_of(outcome.judgements.begin(), outcome.judgements.end(), has_siblings);
}

}  // namespace perfgate
