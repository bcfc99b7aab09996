#include "perfgate/gate/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "perfgate/baseline/record.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/choose_metric.h"
#include "perfgate/gate/comparable.h"
#include "perfgate/gate/interference.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/gate/paired_host.h"

namespace perfgate {
namespace {

double value_of(const WorkerReport& report, Metric metric) {
  const auto found = report.metrics.find(metric);
  return found == report.metrics.end() ? 0 : found->second.value;
}

const WorkerReport* first_unmeasured(const std::vector<WorkerReport>& reports) {
  const auto found = std::find_if(reports.begin(), reports.end(), [](const WorkerReport& report) {
    return report.status != WorkerStatus::kMeasured;
  });
  return found == reports.end() ? nullptr : &*found;
}

PairedOutcome unjudged(Verdict verdict, const std::string& message, bool incomparable = false) {
  PairedOutcome out;
  out.verdict = verdict;
  out.message = message;
  out.incomparable = incomparable;
  return out;
}

double run_us(const WorkerReport& report) {
  double out = 0;
  for (const auto& [phase, part] : report.phases) {
    out += value_of(report, kTime.in(phase));
  }
  return out;
}

// `now` is a report of the new build that is not measured; `before` one of the older build, or null
// where that measured all.
PairedOutcome failed_now(const WorkerReport& now, const WorkerReport* before) {
  const bool ran_before = before == nullptr;
  if (now.status == WorkerStatus::kUnsupported) {
    return ran_before ? unjudged(Verdict::kLost, "no longer runs: " + now.message)
                      : unjudged(Verdict::kUnsupported, now.message);
  }
  const Verdict verdict = now.status == WorkerStatus::kWrong ? Verdict::kWrong : Verdict::kError;
  const bool failed_before = !ran_before && before->status != WorkerStatus::kUnsupported;
  return failed_before ? unjudged(verdict, "as before the change: " + now.message, true)
                       : unjudged(verdict, now.message);
}

std::optional<PairedOutcome> unmeasured(const PairedReports& reports) {
  const auto* before = first_unmeasured(reports.before);
  if (const auto* now = first_unmeasured(reports.now)) {
    const double before_us = before == nullptr ? run_us(reports.before.front()) : 0;
    if (const auto slow = far_too_slow(*now, before_us, "before the change")) {
      return unjudged(slow->verdict, slow->message);
    }
    return failed_now(*now, before);
  }
  if (before != nullptr) {
    return unjudged(Verdict::kNoBaseline, "runs now; before: " + before->message);
  }
  for (const auto* side : {&reports.before, &reports.now}) {
    for (const auto& report : *side) {
      if (report.why_unfit) {
        return unjudged(Verdict::kMachineInvalid, "the device was not fit: " + *report.why_unfit);
      }
    }
  }
  return std::nullopt;
}

bool is_compared(Metric metric) {
  return metric.quantity != Quantity::kCycles && metric.phase != Phase::kCompile;
}

// What a baseline of the older build's first processes would say of the case.
CaseRecord record_of(const PairedReports& reports, const Policy& policy) {
  const auto count = std::min<std::size_t>(reports.before.size(),
                                           static_cast<std::size_t>(policy.paired.first_pairs));
  const std::vector<WorkerReport> first(
      reports.before.begin(), reports.before.begin() + static_cast<std::ptrdiff_t>(count));
  CaseSession session;
  session.case_key = reports.case_key;
  session.metrics = measured_metrics(first);
  session.phases = measured_phases(first);
  choose_judged_metrics(session, policy);
  CaseRecord out;
  out.phases = session.phases;
  for (const auto& [metric, measured] : session.metrics) {
    out.metrics[metric] = measured.description;
    out.metrics[metric].judged &= is_compared(metric);
    if (is_of_host_pass(metric.quantity)) {
      out.metrics[metric].judged = host_decides_in_either(reports, metric.phase);
    }
  }
  return out;
}

PairedRule rule_of(const PairedSeries& series, const PairedContext& context) {
  const Policy& policy = context.policy;
  return {policy.false_alarms_a_night / static_cast<double>(context.metrics),
          policy.detection_probability,
          series.description.tolerance.value_or(policy.paired.tolerance_of(context.device_kind))};
}

// In every process before, in none now: some bodies are at the edge, and change from process to
// process.
std::string waits_for_the_host(const PairedReports& reports) {
  const auto queued = [](const std::vector<WorkerReport>& side, Phase phase, bool whole) {
    return std::all_of(side.begin(), side.end(), [&](const WorkerReport& report) {
      return is_queued_whole(report.phase(phase).protocol) == whole;
    });
  };
  for (const auto& [phase, part] : reports.before.front().phases) {
    if (queued(reports.before, phase, true) && queued(reports.now, phase, false)) {
      return prefix_of(phase) +
             "it can no longer be queued before it runs: it synchronises with the host, or "
             "launches "
             "more than a queue takes";
    }
  }
  return "";
}

ControlledPhase controlled(const PairedReports& reports, Phase phase) {
  ControlledPhase out;
  for (std::size_t i = 0; i < std::min(reports.before.size(), reports.now.size()); ++i) {
    const auto& before = reports.before[i];
    const auto& now = reports.now[i];
    const double time_before = value_of(before, kTime.in(phase));
    const double time_now = value_of(now, kTime.in(phase));
    const double ratio_before = value_of(before, kUtilisation.in(phase));
    const double ratio_now = value_of(now, kUtilisation.in(phase));
    if (time_before > 0 && time_now > 0 && ratio_before > 0 && ratio_now > 0) {
      out.times.push_back(std::log(time_now / time_before));
      out.controls.push_back(
          -std::log(control_speed_ratio(time_now, ratio_now, time_before, ratio_before)));
    }
  }
  return out;
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
    auto finding = check_paired_control(found->second, limit, context.priors.of(series.description),
                                        rule_of(series, context), context.looks, context.look);
    if (!finding) {
      continue;
    }
    finding->time.metric = kTime.in(phase);
    finding->time.before = paired.times.at(phase).before;
    finding->time.now = paired.times.at(phase).now;
    findings.emplace(phase, std::move(*finding));
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
    const auto* best = outcome.steadiest(phase);
    if (best->mde > allowed) {
      return fmt::format("{}its MDE is {}, and the policy allows {}{}", prefix_of(phase),
                         mde_text(best->mde), mde_text(allowed),
                         outcome.verdict == Verdict::kImproved ? "; it looks faster" : "");
    }
  }
  return std::nullopt;
}

}  // namespace

const PairedJudgement* PairedOutcome::deciding() const {
  // Smaller comes first. What passes is known by its device's time, whatever is known of its host.
  const auto rank = [this](const PairedJudgement& judgement) {
    const bool changed = judgement.verdict != Verdict::kPass && verdict != Verdict::kBlind;
    return std::tuple(judgement.verdict != verdict,
                      !changed && stands_beside_time(judgement.metric.quantity),
                      changed ? -std::abs(judgement.change) : judgement.mde);
  };
  const auto first =
      std::min_element(judgements.begin(), judgements.end(),
                       [&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return first == judgements.end() ? nullptr : &*first;
}

const PairedJudgement* PairedOutcome::steadiest(Phase phase) const {
  return steadiest_of(judgements, phase);
}

ExitCode exit_code_of(const PairedOutcome& outcome) {
  return outcome.incomparable ? ExitCode::kRefused : exit_code_of(outcome.verdict, false);
}

ExitCode exit_code_of(const std::vector<PairedOutcome>& outcomes, double blind_share) {
  ExitCode out = ExitCode::kSkipped;
  std::size_t judged = 0;
  std::size_t blind = 0;
  for (const auto& outcome : outcomes) {
    out = stronger(out, exit_code_of(outcome));
    judged += outcome.judgements.empty() ? 0 : 1;
    blind += outcome.verdict == Verdict::kBlind ? 1 : 0;
  }
  const bool too_blind = static_cast<double>(blind) > blind_share * static_cast<double>(judged);
  return too_blind ? stronger(out, ExitCode::kRefused) : out;
}

PairedDifferences paired_differences(const PairedReports& reports, Metric metric) {
  PairedDifferences out;
  double before = 0;
  double now = 0;
  for (std::size_t i = 0; i < std::min(reports.before.size(), reports.now.size()); ++i) {
    const double old_value = value_of(reports.before[i], metric);
    const double new_value = value_of(reports.now[i], metric);
    if (old_value > 0 && new_value > 0) {
      before += std::log(old_value);
      now += std::log(new_value);
      out.logs.push_back(slower_sign(better_of(metric)) * std::log(new_value / old_value));
    }
  }
  const auto pairs = static_cast<double>(std::max<std::size_t>(out.logs.size(), 1));
  out.before = std::exp(before / pairs);
  out.now = std::exp(now / pairs);
  return out;
}

PairedCase paired_case(const PairedReports& reports, const Policy& policy) {
  PairedCase out;
  if (const auto why = unmeasured(reports)) {
    out.unjudged = *why;
    return out;
  }
  const CaseRecord record = record_of(reports, policy);
  if (const auto obstacle = obstacle_to_judging(record, reports.now)) {
    out.unjudged =
        unjudged(obstacle->verdict, obstacle->message, obstacle->verdict == Verdict::kNoBaseline);
    return out;
  }
  for (const auto& [metric, description] : record.metrics) {
    if (description.judged) {
      out.series.push_back({metric, description, paired_differences(reports, metric)});
      if (metric.quantity == Quantity::kUtilisation) {
        out.controlled[metric.phase] = controlled(reports, metric.phase);
        out.times[metric.phase] = paired_differences(reports, kTime.in(metric.phase));
      }
    }
  }
  std::erase_if(out.series,
                [](const PairedSeries& series) { return series.differences.logs.empty(); });
  if (out.series.empty()) {
    out.unjudged = unjudged(Verdict::kUnsupported, "the older build proposes nothing to judge");
  }
  out.waits_now = waits_for_the_host(reports);
  if (out.waits_now.empty()) {
    out.waits_now = why_launch_bound_now(reports);
  }
  return out;
}

PairedPriors::PairedPriors(const std::vector<PairedCase>& cases, const Policy& policy,
                           const std::string& device_kind)
    : policy_(policy), most_degrees_(policy.paired.prior_degrees_of(device_kind)) {
  std::map<std::pair<std::string, Statistic>, std::vector<SumOfSquares>> groups;
  for (const auto& paired : cases) {
    for (const auto& series : paired.series) {
      const SumOfSquares squares = deviations(series.differences.logs);
      if (squares.degrees > 0 && squares.sum > 0) {
        groups[{series.description.variance_class, series.description.statistic}].push_back(
            squares);
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
  const auto found = fitted_.find({description.variance_class, description.statistic});
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

const std::vector<KernelRecord>& traced_kernels(const std::vector<WorkerReport>& reports,
                                                Phase phase) {
  static const std::vector<KernelRecord> none;
  for (const auto& report : reports) {
    if (const auto& kernels = kernels_of(report.phase(phase)); !kernels.empty()) {
      return kernels;
    }
  }
  return none;
}

}  // namespace perfgate
