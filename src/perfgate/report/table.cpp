#include "perfgate/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "perfgate/report/figures.h"
#include "perfgate/report/layout.h"

namespace perfgate {
namespace {

constexpr std::size_t kKeyWidth = 50;
constexpr const char* kRow = "{:>7} {:<50} {:>8} {:>11} {:>5} {:>8} {:>7}  {}";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The most sessions that any one case has, on this unit or on all: one visit may be several entries
// of the file, one a family.
std::size_t most_sessions(const Baseline& baseline, const std::string& unit) {
  std::size_t most = 0;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [metric, sessions] : record.epochs.back().figures) {
      std::size_t count = 0;
      for (const auto& [id, figures] : sessions) {
        count += unit.empty() || baseline.sessions.at(id).unit == unit ? 1 : 0;
      }
      most = std::max(most, count);
    }
  }
  return most;
}

std::string baseline_line(const RunInfo& info, const Baseline& baseline) {
  std::string last;
  for (const auto& [id, session] : baseline.sessions) {
    last = std::max(last, session.date.substr(0, 10));
  }
  return fmt::format(
      "{}{}\n            {}, {} on {} ({} on this one), last {}",
      info.local_baseline ? "LOCAL " : "", info.baseline_path,
      plural(baseline.cases.size(), "case"), plural(most_sessions(baseline, ""), "session"),
      plural(units_of(baseline).size(), "unit"), most_sessions(baseline, info.session.unit), last);
}

// What could not be found out of the machine: never to be taken for good.
std::string not_known(const std::map<std::string, std::string>& environment) {
  constexpr std::string_view kUnknown = "unknown: ";
  std::string out;
  for (const auto& [fact, text] : environment) {
    if (text.rfind(kUnknown, 0) == 0) {
      out += (out.empty() ? "\n            not known: " : ", ") + fact + " (" +
             text.substr(kUnknown.size()) + ")";
    }
  }
  const auto trace = environment.find("kernel_trace");
  if (trace != environment.end()) {
    out += "\n            no kernel trace: " + trace->second +
           "; what is judged by busy time cannot be judged";
  }
  return out;
}

}  // namespace

std::string Table::verdict_column(const Outcome& outcome) const {
  const std::string text = verdict_text(outcome);
  return outcome.accepted() ? text : painted(outcome.verdict, text, colour_);
}

std::string Table::heading(const RunInfo& info, const Baseline* baseline,
                           double false_alarms_a_night) const {
  std::string out =
      fmt::format("  perfgate {}   {} ({})   LibTorch {}", PERFGATE_VERSION, info.device.model,
                  info.session.unit.substr(0, 12), info.session.libtorch);
  if (info.session.driver) {
    out += "   driver " + *info.session.driver;
  }
  out += "\n  baseline  ";
  if (baseline != nullptr && !baseline->sessions.empty()) {
    out += baseline_line(info, *baseline) +
           fmt::format("; false-alarm budget {} a night{}", percent_text(false_alarms_a_night),
                       info.local_baseline ? "\n            not the baselines that are checked in: "
                                             "says whether this machine changes"
                                           : "");
  } else {
    out += fmt::format("none at {}", info.baseline_path);
  }
  if (!info.selection.empty()) {
    out += "\n  PARTIAL   the environment selects: " + info.selection +
           "; unset it, or ask for it on the command line";
  }
  return out + "\n";
}

std::string Table::machine_line(const RunInfo& info, const Baseline* baseline,
                                const std::string& objection) const {
  std::string out = "  machine ";
  std::size_t on_line = 0;
  for (const auto& [name, now] : info.session.ceilings) {
    if (++on_line > 2) {
      out += "\n          ";
      on_line = 1;
    }
    out += "  " + ceiling_text(name, now);
    const auto before = baseline == nullptr ? std::nullopt : recorded_ceiling(*baseline, name);
    std::string shares;
    if (before) {
      shares = fmt::format("{:.0f} % of baseline", 100 * now / *before);
    }
    if (baseline != nullptr && baseline->device.peaks.count(name) > 0) {
      shares += fmt::format("{}{:.0f} % of datasheet", shares.empty() ? "" : ", ",
                            100 * now / baseline->device.peaks.at(name).value);
    }
    out += shares.empty() ? "" : " (" + shares + ")";
  }
  const std::string unknown = not_known(info.environment);
  out += unknown;
  if (!objection.empty()) {
    out += "\n            INVALID: " + objection;
  } else if (unknown.empty()) {
    out += "   OK";
  }
  return out + "\n\n" +
         fmt::format(kRow, "#", "case", "time", "rate", "util", "change", "can see", "verdict") +
         "\n";
}

std::string Table::row(const Outcome& outcome, int number, int total) {
  std::string time_column;
  std::string rate_column;
  std::string utilisation;
  std::string change;
  std::string mde;
  const bool of_the_host = is_host_timed(outcome);
  if (const auto time_us = median_figure(outcome, of_the_host ? "host_time" : "time")) {
    time_column = time_text(*time_us);
  }
  if (const auto rate = rate_of(outcome); rate && !of_the_host) {
    rate_column = figure_text(rate->value, rate->unit);
  }
  if (const auto ratio = median_figure(outcome, "utilisation"); ratio && !of_the_host) {
    utilisation = fmt::format("{:.0f} %", 100 * *ratio);
  }
  if (const auto* judgement = outcome.deciding()) {
    change = change_text(judgement->change, false);
    mde = percent_text(judgement->mde);
  }
  std::string out =
      fmt::format(kRow, fmt::format("{}/{}", number, total), clipped(outcome.case_key, kKeyWidth),
                  time_column, rate_column, utilisation, change, mde, verdict_column(outcome));
  out += remarks(outcome);
  const std::string reason = first_line(outcome.message);
  if (!reason.empty() && reason != "no baseline" && printed_reasons_.insert(reason).second) {
    out += wrapped(reason, 110, "\n        ");
  }
  return out + "\n";
}

std::string Table::progress(int number, int total, const std::string& case_key,
                            double eta_s) const {
  const std::string eta = eta_s > 0 ? fmt::format("   eta {:.0f} s", eta_s) : "";
  return fmt::format("{:>7} {}{}", fmt::format("{}/{}", number, total), case_key, eta);
}

}  // namespace perfgate
