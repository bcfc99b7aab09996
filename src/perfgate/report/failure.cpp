#include "perfgate/report/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "perfgate/gate/clock.h"
#include "perfgate/report/figures.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/tuning_changes.h"

namespace perfgate {
namespace {

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<11} {}\n", label, text);
}

std::string counted(std::size_t number, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", number, number == 1 ? noun : plural);
}

std::string metric_unit(const Outcome& outcome, const Judgement& judgement) {
  return outcome.reports.front().metrics.at(judgement.metric).unit;
}

void difference(std::string& out, const char* what, const std::string& before,
                const std::string& now) {
  if (before != now) {
    out += fmt::format("{}{} {} -> {}", out.empty() ? "" : "; ", what, before, now);
  }
}

// What differs between tonight and the newest session of the epoch in force.
std::string changes(const SessionRecord& before, const SessionRecord& now) {
  std::string out;
  difference(out, "LibTorch", before.libtorch, now.libtorch);
  difference(out, "driver", before.driver.value_or("none"), now.driver.value_or("none"));
  difference(out, "CUDA", before.cuda.value_or("none"), now.cuda.value_or("none"));
  difference(out, "compiler", before.compiler, now.compiler);
  difference(out, "commit", before.commit, now.commit);
  return out.empty() ? "nothing that perfgate records" : out;
}

std::string unsteady_line(const Outcome& outcome, const Judgement& judgement) {
  return line("unsteady",
              fmt::format("{} lie {} apart, the baseline's {} at most",
                          counted(outcome.reports.size(), "process", "processes"),
                          percent_text(judgement.spread), percent_text(judgement.spread_limit)));
}

std::string judged_lines(const Outcome& outcome, const Judgement& judgement) {
  const std::string unit = metric_unit(outcome, judgement);
  const auto& clock = judgement.clock_mhz;
  const bool has_time = unit != "us" && judgement.metric != kCycles;  // of cycles: clock_line
  const auto time_us = has_time ? median_figure(outcome, "time") : std::nullopt;
  const std::string now =
      fmt::format("{} {}{}, was {}{}", judgement.metric, figure_text(judgement.now, unit),
                  time_us ? fmt::format(" ({})", time_text(*time_us)) : "",
                  figure_text(judgement.before, unit), clock ? clock_text(clock->before) : "");
  std::string out =
      judgement.verdict == Verdict::kUnsteady ? unsteady_line(outcome, judgement) : "";
  out +=
      line(judgement.change < 0 ? "faster by" : "slower by",
           fmt::format("{} +- {}   {}   tolerance {}, can see {}",
                       percent_text(std::abs(judgement.change)), percent_text(judgement.half_width),
                       now, percent_text(judgement.tolerance), percent_text(judgement.mde)));
  return out + line("how sure",
                    fmt::format("p = {:.0e}, budget {:.0e} a figure; {}: {}", judgement.p_value,
                                judgement.alpha,
                                counted(outcome.reports.size(), "fresh process", "fresh processes"),
                                figures_text(figures_of(outcome, judgement.metric), unit)));
}

// Where a reason decides and not a measurement: what the time was and is.
std::string times_line(const Outcome& outcome, const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (outcome.message.empty() || record == baseline.cases.end()) {
    return "";
  }
  for (const char* metric : {kNetTime, "time"}) {
    if (outcome.deciding() != nullptr && outcome.deciding()->metric == metric) {
      return "";  // said already
    }
    const auto now = median_figure(outcome, metric);
    const auto before = recorded_median(record->second, metric);
    if (now && before) {
      return line("times",
                  fmt::format("{} {}, was {}", metric, time_text(*now), time_text(*before)));
    }
  }
  return "";
}

// How much of a change in time the clock explains, where cycles are judged beside it.
std::string clock_line(const Outcome& outcome) {
  const auto* time = outcome.judgement_of(kNetTime);
  const auto* cycles = outcome.judgement_of(kCycles);
  if (time == nullptr || cycles == nullptr || !cycles->clock_mhz) {
    return "";
  }
  const auto clocks = clocks_mhz(
      {{kCycles, figures_of(outcome, kCycles)}, {kNetTime, figures_of(outcome, kNetTime)}});
  return line("clock",
              fmt::format("net_time {}, cycles at one clock {}: {} instead of {:.0f}",
                          change_text(time->change, false), change_text(cycles->change, false),
                          figures_text(clocks, "MHz"), cycles->clock_mhz->before));
}

// The latest session of the epoch in force, or null: by the time a night is merged, the file may
// have been refreshed.
const SessionRecord* newest_session(const Baseline& baseline, const Epoch& epoch,
                                    const std::string& metric) {
  const SessionRecord* newest = nullptr;
  const auto sessions = epoch.figures.find(metric);
  if (sessions == epoch.figures.end()) {
    return nullptr;
  }
  for (const auto& [id, figures] : sessions->second) {
    const auto found = baseline.sessions.find(id);
    if (found != baseline.sessions.end() &&
        (newest == nullptr || newest->date < found->second.date)) {
      newest = &found->second;
    }
  }
  return newest;
}

std::string kernel_lines(const CaseRecord& record, const Outcome& outcome) {
  constexpr std::size_t kLimit = 4;
  std::string out;
  for (const auto& text : kernel_changes(record.kernels, outcome.reports.front().kernels, kLimit)) {
    out += line(out.empty() ? "kernels" : "", text);
  }
  return out;
}

std::string tuning_line(const Epoch& epoch, const Outcome& outcome) {
  const std::string changed =
      outcome.reports.empty() ? "" : tuning_changes(epoch.tuning, outcome.reports.front().tuning);
  return changed.empty() ? "" : line("tuning", changed);
}

std::string baseline_lines(const Outcome& outcome, const Judgement& judgement, const RunInfo& info,
                           const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (record == baseline.cases.end() || record->second.epochs.empty()) {
    return "";
  }
  const auto& epoch = record->second.epochs.back();
  const auto* newest = newest_session(baseline, epoch, judgement.metric);
  if (newest == nullptr) {
    return "";
  }
  const auto sessions = static_cast<std::size_t>(judgement.sessions);
  const auto units = static_cast<std::size_t>(judgement.units);
  return line("baseline",
              fmt::format("{}, {} on {}, LibTorch {} ({})", newest->date.substr(0, 10),
                          counted(sessions, "session", "sessions"),
                          judgement.known_unit ? std::string("this unit")
                                               : counted(units, "other unit", "other units"),
                          newest->libtorch, epoch.reason)) +
         line("changed", changes(*newest, info.session)) + tuning_line(epoch, outcome) +
         kernel_lines(record->second, outcome);
}

std::string accuracy_line(const Accuracy& accuracy) {
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

// For the same reason, so that the first one's text does for both. Not where each has elements,
// figures or a command of its own to show.
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

// "5.1 %", or "0.2 to 5.1 %" where the processes got different amounts; empty without a plant.
std::string planted_text(const std::vector<WorkerReport>& reports) {
  std::vector<double> percent;
  for (const auto& report : reports) {
    if (report.planted_percent) {
      percent.push_back(std::round(10 * *report.planted_percent) / 10 + 0.0);  // no "-0.0"
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

// The flag by which a refresh takes it for the new normal, or empty.
std::string how_to_accept(const Outcome& outcome) {
  switch (outcome.verdict) {
    case Verdict::kRegressed:
      return "--accept='*:why'";
    case Verdict::kImproved:
    case Verdict::kNoBaseline:
      return "--reason=\"why\"";
    default:
      return "";
  }
}

}  // namespace

std::string failure_text(const Outcome& outcome, const RunInfo& info, const Baseline* baseline) {
  std::string out = fmt::format("{}  {}\n", name_of(outcome.verdict), outcome.case_key);
  if (!outcome.message.empty()) {
    out += line("reason", outcome.message);
  }
  if (const auto* judgement = outcome.deciding()) {
    out += judged_lines(outcome, *judgement) + clock_line(outcome);
    if (baseline != nullptr) {
      out += times_line(outcome, *baseline) + baseline_lines(outcome, *judgement, info, *baseline);
    }
  }
  for (const auto& report : outcome.reports) {
    if (report.accuracy && report.status == WorkerStatus::kWrong) {
      out += accuracy_line(*report.accuracy);
      break;
    }
  }
  const std::string planted = planted_text(outcome.reports);
  if (!planted.empty()) {
    out += line("planted", planted + " of extra work, on purpose (--inject_slowdown)");
  }
  std::string program = info.command.empty() ? "perfgate" : info.command.front();
  if (info.local_baseline) {
    program += " --baselines=" + std::filesystem::path(info.baseline_path).parent_path().string();
  }
  if (outcome.verdict != Verdict::kLost || !outcome.reports.empty()) {
    out += line("look", fmt::format("{} --case={}", program, outcome.case_key));
  }
  if (const std::string how = how_to_accept(outcome); !how.empty() && planted.empty()) {
    out += line("accept", fmt::format("{} --refresh {} --case={}", program, how, outcome.case_key));
  }
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
