#include "perfgate/gate/paired_case.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "perfgate/baseline/record.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/choose_metric.h"
#include "perfgate/gate/comparable.h"
#include "perfgate/gate/interference.h"
#include "perfgate/gate/paired_host.h"

namespace perfgate {
namespace {

double value_or_zero(const WorkerReport& report, Metric metric) {
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
    out += value_or_zero(report, kTime.in(phase));
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
      return waits_for_host_text(phase, "");
    }
  }
  return "";
}

// Of the pairs for which both values are positive.
PairedDifferences differences_of(
    const PairedReports& reports, Metric metric,
    const std::function<bool(const WorkerReport& before, const WorkerReport& now)>& counts) {
  PairedDifferences out;
  double before = 0;
  double now = 0;
  for (std::size_t i = 0; i < std::min(reports.before.size(), reports.now.size()); ++i) {
    const double old_value = value_or_zero(reports.before[i], metric);
    const double new_value = value_or_zero(reports.now[i], metric);
    if (old_value > 0 && new_value > 0 && counts(reports.before[i], reports.now[i])) {
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

ControlledPhase controlled(const PairedReports& reports, Phase phase) {
  ControlledPhase out;
  out.times = differences_of(
      reports, kTime.in(phase), [&](const WorkerReport& before, const WorkerReport& now) {
        const double ratio_before = value_or_zero(before, kUtilisation.in(phase));
        const double ratio_now = value_or_zero(now, kUtilisation.in(phase));
        if (ratio_before <= 0 || ratio_now <= 0) {
          return false;
        }
        out.controls.push_back(
            -std::log(control_speed_ratio(value_or_zero(now, kTime.in(phase)), ratio_now,
                                          value_or_zero(before, kTime.in(phase)), ratio_before)));
        return true;
      });
  return out;
}

}  // namespace

PairedDifferences paired_differences(const PairedReports& reports, Metric metric) {
  return differences_of(reports, metric,
                        [](const WorkerReport&, const WorkerReport&) { return true; });
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
