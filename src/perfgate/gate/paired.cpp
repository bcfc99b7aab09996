#include "perfgate/gate/paired.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "perfgate/baseline/session_value.h"

namespace perfgate {
namespace {

PairedRule rule_of(const PairedSeries& series, const PairedContext& context) {
  const Policy& policy = context.policy;
  return {policy.false_alarms_a_night / static_cast<double>(context.metrics),
          policy.detection_probability,
          series.description.tolerance.value_or(policy.paired.tolerance_of(context.device_kind))};
}

// With the phases whose controls differ judged by their times. What waits for the host has
// regressed already.
void conclude(const std::map<Phase, ControlFinding>& findings, PairedOutcome& out) {
  const bool waits = !out.message.empty();
  const auto is_invalid = [](const auto& finding) {
    return finding.second.verdict == Verdict::kMachineInvalid;
  };
  Verdict verdict = Verdict::kPass;
  for (const auto& judgement : out.judgements) {
    verdict = worse(verdict, judgement.verdict);
  }
  for (const auto& [phase, finding] : findings) {
    out.message += (out.message.empty() ? "" : "; ") + prefix_of(phase) + finding.message;
  }
  out.decided = true;
  if (waits || verdict == Verdict::kRegressed) {
    out.verdict = Verdict::kRegressed;
  } else if (std::any_of(findings.begin(), findings.end(), is_invalid)) {
    out.verdict = Verdict::kMachineInvalid;
    out.judgements.clear();
  } else {
    out.verdict = verdict;
  }
}

// What passes where the body slows its control would pass for nothing.
void hold_to_controls(const PairedCase& paired, const PairedContext& context, PairedOutcome& out) {
  const double limit = context.policy.machine_of(context.device_kind).interference_limit;
  std::map<Phase, ControlFinding> findings;
  for (const auto& series : paired.series) {
    const Phase phase = series.metric.phase;
    const auto found = paired.controlled.find(phase);
    if (series.metric.quantity != Quantity::kUtilisation || found == paired.controlled.end()) {
      continue;
    }
    auto finding =
        check_paired_control(phase, found->second, limit, context.priors.of(series.description),
                             rule_of(series, context), context.looks, context.look);
    if (finding) {
      findings.emplace(phase, std::move(*finding));
    }
  }
  for (auto& judgement : out.judgements) {
    const auto found = findings.find(judgement.metric.phase);
    if (judgement.metric.quantity == Quantity::kUtilisation && found != findings.end()) {
      judgement = found->second.time;
    }
  }
  if (!findings.empty()) {
    conclude(findings, out);
  }
}

// Nothing where every phase could have shown a slowdown that the policy allows to be missed.
std::optional<std::string> blindness(const PairedOutcome& outcome, const PairedContext& context) {
  const double allowed = context.policy.mde_limit_of(context.device_kind).known;
  std::set<Phase> phases;
  for (const auto& judgement : outcome.judgements) {
    phases.insert(judgement.metric.phase);
  }
  for (const Phase phase : phases) {
    if (const auto why = why_blind(*outcome.steadiest(phase), allowed)) {
      return *why + (outcome.verdict == Verdict::kImproved ? "; it looks faster" : "");
    }
  }
  return std::nullopt;
}

}  // namespace

PairedPriors::PairedPriors(const std::vector<PairedCase>& cases, const Policy& policy,
                           const std::string& device_kind)
    : policy_(policy), most_degrees_(policy.paired.prior_degrees_of(device_kind)) {
  std::map<CaseGroup, std::vector<SumOfSquares>> groups;
  for (const auto& paired : cases) {
    for (const auto& series : paired.series) {
      const SumOfSquares squares = deviations(series.differences.logs);
      if (squares.degrees > 0 && squares.sum > 0) {
        groups[class_group(series.description)].push_back(squares);
      }
    }
  }
  for (const auto& [group, squares] : groups) {
    if (static_cast<int>(squares.size()) >= std::max(2, policy.fit_cases)) {
      fitted_[group] = fit_variance_prior(squares, policy.max_prior_degrees).prior;
    }
  }
}

VariancePrior PairedPriors::of(const MetricRecord& description) const {
  const auto found = fitted_.find(class_group(description));
  if (found != fitted_.end()) {
    return found->second;
  }
  VariancePrior out = policy_.class_of(description.variance_class).session;
  out.variance *= 2 / variance_of_median(static_cast<std::size_t>(policy_.workers_a_session));
  out.degrees = std::min(out.degrees, most_degrees_);
  return out;
}

PairedOutcome judge_paired(const PairedCase& paired, const PairedContext& context) {
  if (paired.series.empty()) {
    return paired.unjudged;
  }
  PairedOutcome out;
  out.verdict = Verdict::kPass;
  for (const auto& series : paired.series) {
    auto judgement = judge_pairs(series.differences.logs, context.priors.of(series.description),
                                 rule_of(series, context), context.looks, context.look);
    judgement.metric = series.metric;
    judgement.before = series.differences.before;
    judgement.now = series.differences.now;
    out.decided &= judgement.decided;
    out.verdict = worse(out.verdict, judgement.verdict);
    out.judgements.push_back(judgement);
  }
  if (!paired.waits_now.empty()) {
    out.verdict = Verdict::kRegressed;
    out.message = paired.waits_now;
  }
  hold_to_controls(paired, context, out);
  out.decided |= out.verdict == Verdict::kRegressed;
  if (out.verdict != Verdict::kPass && out.verdict != Verdict::kImproved) {
    return out;
  }
  if (const auto why = blindness(out, context)) {
    // More pairs may show it: what is faster is decided at the first look.
    out.decided &= out.verdict == Verdict::kPass || context.look + 1 == context.looks.size();
    if (out.decided) {
      out.verdict = Verdict::kBlind;
      out.message = *why;
    }
  }
  return out;
}

}  // namespace perfgate
