#include "perfgate/gate/paired_control.h"

#include <cmath>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

std::string in_percent(double log) {
  return std::to_string(std::lround(100 * std::expm1(std::abs(log)))) + " %";
}

}  // namespace

std::optional<ControlFinding> check_paired_control(Phase phase, const ControlledPhase& pairs,
                                                   double limit, const VariancePrior& prior,
                                                   const PairedRule& rule,
                                                   const std::vector<PairedLook>& looks,
                                                   std::size_t look) {
  if (pairs.controls.empty()) {
    return std::nullopt;
  }
  const PairedRule of_controls{rule.alpha, rule.detection, limit};
  const auto control = judge_pairs(pairs.controls, prior, of_controls, looks, look);
  const bool in_most = std::abs(median(pairs.controls)) > std::log1p(limit);
  if (control.verdict == Verdict::kPass || !in_most) {
    return std::nullopt;  // or a neighbour took one pair's core
  }
  const bool slowed_now = control.verdict == Verdict::kRegressed;
  ControlFinding out;
  out.time = judge_pairs(pairs.times.logs, prior, rule, looks, look);
  out.time.metric = kTime.in(phase);
  out.time.before = pairs.times.before;
  out.time.now = pairs.times.now;
  const Verdict time = out.time.verdict;
  out.message = "its control is slower by " + in_percent(mean(pairs.controls)) + " beside the " +
                (slowed_now ? "newer" : "older") + " build's body, which slows both: its time ";
  if (time == Verdict::kRegressed) {
    out.verdict = Verdict::kRegressed;
    out.message += "alone is slower";
  } else if (time == Verdict::kImproved && !slowed_now) {
    out.verdict = Verdict::kImproved;
    out.message += "alone is faster";
  } else {
    out.message += "over the control's cannot be compared";
  }
  return out;
}

}  // namespace perfgate
