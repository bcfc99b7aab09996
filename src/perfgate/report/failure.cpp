#include "perfgate/report/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "perfgate/model/case_key.h"
#include "perfgate/report/failure_commands.h"
#include "perfgate/report/failure_lines.h"
#include "perfgate/report/host_text.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/tuning_changes.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

// The latest session of the revision in force, or null: by the time a night is merged, the file may
// have been refreshed.
const SessionRecord* newest_reference(const Baseline& baseline, const Revision& revision,
                                      Metric metric) {
  const SessionRecord* newest = nullptr;
  const auto consider = [&](const std::string& id) {
    const auto found = baseline.sessions.find(id);
    if (found != baseline.sessions.end() &&
        (newest == nullptr || newest->date < found->second.date)) {
      newest = &found->second;
    }
  };
  for (const auto& id : references_with(revision, metric)) {
    consider(id);
  }
  for (const auto& [device, on_device] : revision.later) {
    if (on_device.metrics.count(metric) > 0) {
      consider(on_device.last);
    }
  }
  return newest;
}

constexpr std::size_t kKernelsTold = 4;

std::string kernel_lines(const CaseRecord& record, const Outcome& outcome, Phase phase) {
  std::string out;
  for (const auto& text :
       kernel_changes(record.phase(phase).kernels, kernels_of(outcome.reports.front().phase(phase)),
                      kKernelsTold)) {
    out += line(out.empty() ? "kernels" : "", text);
  }
  return out;
}

// Where they are the finding, of every phase.
std::string other_kernel_lines(const Outcome& outcome, const Baseline* baseline) {
  std::string out;
  for (const auto& [phase, texts] : other_kernels_of(outcome, baseline, kKernelsTold)) {
    for (const auto& text : texts) {
      out += line(out.empty() ? "kernels" : "", prefix_of(phase) + text);
    }
  }
  return out;
}

std::string tuning_line(const Revision& revision, const Outcome& outcome) {
  const std::string changed = outcome.reports.empty()
                                  ? ""
                                  : tuning_changes(revision.tuning, outcome.reports.front().tuning);
  return changed.empty() ? "" : line("tuning", changed);
}

// The session that a case was measured in.
SessionRecord session_of(const Outcome& outcome, const RunInfo& info) {
  return outcome.reports.empty() ? info.session
                                 : session_of_case(info.session, outcome.reports.front());
}

// Whose sessions it was compared with.
std::string devices_text(const Judgement& judgement) {
  if (judgement.known_device) {
    return "this device";
  }
  const std::string others =
      counted(static_cast<std::size_t>(judgement.devices), "other device", "other devices");
  if (!judgement.effect) {
    return others;
  }
  const double percent = 100 * std::expm1(judgement.effect->value);
  return fmt::format(
      "{}, {:.1f} % {} expected here as of {}", others, std::abs(percent),
      percent < 0 ? "faster" : "slower",
      counted(static_cast<std::size_t>(judgement.effect->siblings), "other case", "other cases"));
}

std::string baseline_lines(const Outcome& outcome, const Judgement& judgement, const RunInfo& info,
                           const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (record == baseline.cases.end() || record->second.revisions.empty()) {
    return "";
  }
  const auto& revision = record->second.revisions.back();
  const auto* newest = newest_reference(baseline, revision, judgement.metric);
  if (newest == nullptr) {
    return "";
  }
  const auto sessions = static_cast<std::size_t>(judgement.sessions);
  const std::string changes = changes_for_family(*newest, session_of(outcome, info),
                                                 family_of(outcome.case_key), is_of_guest(info));
  return line("baseline", fmt::format("{}, {} on {}, LibTorch {} ({})", newest->date.substr(0, 10),
                                      counted(sessions, "session", "sessions"),
                                      devices_text(judgement), newest->libtorch, revision.reason)) +
         line("changed", changes.empty() ? "nothing recorded that can matter to it" : changes) +
         tuning_line(revision, outcome) +
         (outcome.verdict == Verdict::kOtherKernels
              ? ""
              : kernel_lines(record->second, outcome, judgement.metric.phase));
}

std::string accuracy_lines(const Accuracy& accuracy) {
  std::string index;
  for (const auto i : accuracy.worst_index) {
    index += (index.empty() ? "" : ", ") + std::to_string(i);
  }
  return line("worst", fmt::format("[{}] is {:.6g}, expected {:.6g}; off by {:.3g}, allowed {:.3g}",
                                   index, accuracy.worst_actual, accuracy.worst_expected,
                                   std::abs(accuracy.worst_actual - accuracy.worst_expected),
                                   accuracy.allowed_at_worst)) +
         line("errors", fmt::format("largest absolute {:.3g}, largest relative {:.3g}; {} of {} "
                                    "elements out of tolerance",
                                    accuracy.max_absolute, accuracy.max_relative,
                                    accuracy.wrong_elements, accuracy.elements));
}

// Of every phase and output that is wrong, or, where only a layout is, of each.
std::string wrong_lines(const WorkerReport& report) {
  std::string wrong;
  std::string all;
  for (const auto& [phase, part] : report.phases) {
    for (const auto& output : part.outputs) {
      if (output.accuracy) {
        const std::string text = accuracy_lines(*output.accuracy);
        all += text;
        wrong += output.accuracy->wrong_elements > 0 ? text : "";
      }
    }
  }
  return wrong.empty() ? all : wrong;
}

// For the same reason, so that the first one's text does for both. Not where each has elements,
// measurements or a command of its own to show.
bool fail_alike(const Outcome& a, const Outcome& b) {
  const bool says_all = a.verdict == Verdict::kError || a.verdict == Verdict::kMachineInvalid;
  return says_all && a.verdict == b.verdict && a.message == b.message && a.judgements.empty() &&
         b.judgements.empty();
}

std::string alike_lines(const std::vector<const Outcome*>& others) {
  constexpr std::size_t kLimit = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(others.size(), kLimit); ++i) {
    out += line(i == 0 ? "so did" : "", others[i]->case_key);
  }
  if (others.size() > kLimit) {
    out += line("", fmt::format("and {} more", others.size() - kLimit));
  }
  return out;
}

// "5.1 %", or "0.2 to 5.1 %" where the processes got different amounts; empty without injected
// work.
std::string injected_text(const std::vector<WorkerReport>& reports) {
  std::vector<double> percent;
  for (const auto& report : reports) {
    for (const auto& [phase, part] : report.phases) {
      if (part.injected_percent) {
        percent.push_back(std::round(10 * *part.injected_percent) / 10 + 0.0);  // no "-0.0"
      }
    }
  }
  if (percent.empty()) {
    return "";
  }
  const auto [least, most] = std::minmax_element(percent.begin(), percent.end());
  const std::string from = fmt::format("{:.1f}", *least);
  const std::string to = fmt::format("{:.1f}", *most);
  return from == to ? to + " %" : from + " to " + to + " %";
}

// What decided, and of each other phase what has the same verdict.
std::vector<const Judgement*> worth_telling(const Outcome& outcome) {
  std::vector<const Judgement*> out;
  if (outcome.deciding() == nullptr) {
    return out;
  }
  out.push_back(outcome.deciding());
  std::set<Phase> told = {out.front()->metric.phase};
  for (const auto& judgement : outcome.judgements) {
    const auto* of_phase = outcome.deciding(judgement.metric.phase);
    if (of_phase->verdict == outcome.verdict && told.insert(judgement.metric.phase).second) {
      out.push_back(of_phase);
    }
  }
  return out;
}

}  // namespace

std::string failure_text(const Outcome& outcome, const RunInfo& info, const Baseline* baseline) {
  std::string out = fmt::format("{}  {}\n", name_of(outcome.verdict), outcome.case_key);
  if (!outcome.message.empty()) {
    out += line("reason", outcome.message);
  }
  for (const Judgement* judgement : worth_telling(outcome)) {
    out += judged_lines(outcome, *judgement) + clock_line(outcome, judgement->metric.phase);
    if (baseline != nullptr) {
      out += judgement == outcome.deciding() ? times_line(outcome, *baseline) : "";
      out += control_line(outcome, *judgement, *baseline);
      out += baseline_lines(outcome, *judgement, info, *baseline);
    }
  }
  out += host_lines(outcome);
  if (outcome.verdict == Verdict::kOtherKernels) {
    out += other_kernel_lines(outcome, baseline);
  }
  if (!outcome.source_diff.empty()) {
    out += line("sources", outcome.source_diff);
  }
  for (const auto& report : outcome.reports) {
    if (report.status == WorkerStatus::kWrong) {
      out += wrong_lines(report);
      break;
    }
  }
  const std::string injected = injected_text(outcome.reports);
  if (!injected.empty()) {
    out += line("injected", injected + " of extra work, on purpose (--inject_slowdown)");
  }
  out += command_lines(outcome, info, !injected.empty());
  return out;
}

std::vector<std::string> failure_texts(const std::vector<const Outcome*>& failures,
                                       const RunInfo& info, const Baseline* baseline) {
  std::vector<std::string> out;
  std::vector<const Outcome*> left = failures;
  while (!left.empty()) {
    const Outcome& first = *left.front();
    const auto others =
        std::stable_partition(left.begin() + 1, left.end(),
                              [&](const Outcome* other) { return fail_alike(first, *other); });
    out.push_back(failure_text(first, info, baseline) + alike_lines({left.begin() + 1, others}));
    left.erase(left.begin(), others);
  }
  return out;
}

}  // namespace perfgate
