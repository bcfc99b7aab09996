#include "perfgate/gate/paired.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "perfgate/baseline/record.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/choose_metric.h"
#include "perfgate/gate/comparable.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/gate/paired_host.h"

namespace perfgate {
namespace {

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

double value_of(const WorkerReport& report, Metric metric) {
  const auto found = report.metrics.find(metric);
  return found == report.metrics.end() ? 0 : found->second.value;
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

}  // namespace

const PairedJudgement* PairedOutcome::deciding() const {
  // Smaller comes first. What passes is known by its device's time, whatever is known of its host.
  const auto rank = [this](const PairedJudgement& judgement) {
    const bool changed = judgement.verdict != Verdict::kPass;
    return std::tuple(judgement.verdict != verdict,
                      !changed && stands_beside_time(judgement.metric.quantity),
                      changed ? -std::abs(judgement.change) : judgement.mde);
  };
  const auto first =
      std::min_element(judgements.begin(), judgements.end(),
                       [&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return first == judgements.end() ? nullptr : &*first;
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
  const Policy& policy = context.policy;
  for (const auto& series : paired.series) {
    const PairedRule rule{
        policy.false_alarms_a_night / static_cast<double>(context.metrics),
        policy.detection_probability,
        series.description.tolerance.value_or(policy.paired.tolerance_of(context.device_kind))};
    auto judgement = judge_pairs(series.differences.logs, context.priors.of(series.description),
                                 rule, context.looks, context.look);
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
  out.decided |= out.verdict == Verdict::kRegressed;
  if (out.verdict == Verdict::kPass && out.decided &&
      out.deciding()->mde > policy.mde_limit_of(context.device_kind).known) {
    out.verdict = Verdict::kBlind;
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
