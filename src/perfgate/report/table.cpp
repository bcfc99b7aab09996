#include "perfgate/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "perfgate/report/derived.h"
#include "perfgate/report/figures.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr std::size_t kKeyWidth = 50;
constexpr const char* kRow = "{:>7} {:<50} {:>8} {:>11} {:>5} {:>8} {:>7}  {}";

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "\033[32m";
    case Verdict::kImproved:
      return "\033[36m";
    case Verdict::kNoBaseline:
    case Verdict::kUnsupported:
      return "\033[90m";
    case Verdict::kBlind:
    case Verdict::kMachineInvalid:
      return "\033[33m";
    case Verdict::kRegressed:
    case Verdict::kUnsteady:
    case Verdict::kWrong:
    case Verdict::kLost:
    case Verdict::kError:
      return "\033[1;31m";
  }
  return "";
}

std::string plural(std::size_t number, const std::string& noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string clipped(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

// The text in lines of at most `width`, broken at spaces where there are any, each behind `margin`.
std::string wrapped(std::string_view text, std::size_t width, const std::string& margin) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      const auto space = text.rfind(' ', width);
      end = space == std::string_view::npos || space == 0 ? width : space;
    }
    out += margin + std::string(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return out;
}

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

// How small a change the figures that decided could have shown; empty where nothing was judged.
std::string sensitivity_text(const std::vector<Outcome>& outcomes) {
  std::vector<double> seen;
  for (const auto& outcome : outcomes) {
    if (const auto* judgement = outcome.deciding()) {
      seen.push_back(judgement->mde);
    }
  }
  if (seen.size() < 2) {
    return seen.empty() ? "" : percent_text(seen.front());
  }
  std::sort(seen.begin(), seen.end());
  constexpr double kDoubling = 1;
  const auto blind = std::upper_bound(seen.begin(), seen.end(), kDoubling);
  if (blind == seen.begin()) {
    return fmt::format("no doubling in any of {}", plural(seen.size(), "judged figure"));
  }
  std::string out = fmt::format("half of {} within {}", plural(seen.size(), "judged figure"),
                                percent_text(median(seen)));
  out += ", all within " + percent_text(*std::prev(blind));
  if (blind != seen.end()) {
    out += fmt::format(" but {} that would miss a doubling", seen.end() - blind);
  }
  return out;
}

// "a, b and 3 more".
std::string some_of(const std::vector<std::string>& keys) {
  constexpr std::size_t kLimit = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(keys.size(), kLimit); ++i) {
    out += (i == 0 ? "" : ", ") + keys[i];
  }
  return keys.size() > kLimit ? fmt::format("{} and {} more", out, keys.size() - kLimit) : out;
}

std::vector<std::string> keys_with(const std::vector<Outcome>& outcomes, Verdict verdict,
                                   bool learning) {
  std::vector<std::string> out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == verdict && !outcome.accepted() && outcome.learning == learning) {
      out.push_back(outcome.case_key);
    }
  }
  return out;
}

// The text behind a label, on as many lines as it takes.
std::string labelled(const std::string& label, const std::string& text) {
  constexpr std::size_t kWidth = 100;
  const std::string lines = wrapped(text, kWidth, "\n            ");
  return fmt::format("  {:<9} {}\n", label, lines.substr(lines.find_first_not_of("\n ")));
}

// What passed nothing, for it would have hidden what the policy asks to be seen.
std::string blind_lines(const std::vector<Outcome>& outcomes) {
  std::string out;
  if (const auto keys = keys_with(outcomes, Verdict::kBlind, false); !keys.empty()) {
    out += labelled("BLIND", "would have missed what the policy asks for: " + some_of(keys));
  }
  if (const auto keys = keys_with(outcomes, Verdict::kBlind, true); !keys.empty()) {
    out += labelled("learning",
                    fmt::format("of this local baseline, which has fewer than three sessions yet, "
                                "{} cannot see what the policy asks for: {}",
                                plural(keys.size(), "case"), some_of(keys)));
  }
  return out;
}

// What got faster is held from now on, and forgotten unless it is recorded.
std::string improvement_lines(const Run& run) {
  const auto keys = keys_with(run.outcomes, Verdict::kImproved, false);
  const auto learning = keys_with(run.outcomes, Verdict::kImproved, true);
  std::vector<std::string> all = keys;
  all.insert(all.end(), learning.begin(), learning.end());
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 3); ++i) {
    out +=
        fmt::format("  {:<9} {} --refresh --reason=\"why\" --case={}\n", i == 0 ? "improved" : "",
                    run.info.command.empty() ? "perfgate" : run.info.command.front(), all[i]);
  }
  return out.empty()
             ? out
             : out + "            records what improved; until then later nights are held to it\n";
}

}  // namespace

std::string Table::painted(Verdict verdict, std::string_view text) const {
  return colour_ ? fmt::format("{}{}\033[0m", colour_of(verdict), text) : std::string(text);
}

std::string Table::verdict_column(const Outcome& outcome) const {
  const std::string text = verdict_text(outcome);
  return outcome.accepted() ? text : painted(outcome.verdict, text);
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

std::string Table::summary(const Run& run, const std::string& results_path) const {
  std::string out = "\n" + derived_text(run.outcomes) + "  ";
  std::vector<Outcome> judged;
  std::copy_if(run.outcomes.begin(), run.outcomes.end(), std::back_inserter(judged),
               [](const Outcome& outcome) { return !outcome.accepted(); });
  if (judged.size() < run.outcomes.size()) {
    out += fmt::format("{} recorded   ", run.outcomes.size() - judged.size());
  }
  for (const Verdict verdict : kAllVerdicts) {
    const int number = count(judged, verdict);
    const bool always = judged.size() == run.outcomes.size() &&
                        (verdict == Verdict::kPass || verdict == Verdict::kRegressed);
    if (number > 0 || always) {
      out += fmt::format("{} {}   ", number,
                         number > 0 ? painted(verdict, name_of(verdict)) : name_of(verdict));
    }
  }
  const auto with_judgement = std::count_if(run.outcomes.begin(), run.outcomes.end(), was_judged);
  if (static_cast<std::size_t>(with_judgement) < run.outcomes.size() &&
      judged.size() == run.outcomes.size()) {
    out += fmt::format("judged {} of {}   ", with_judgement, plural(run.outcomes.size(), "case"));
  }
  out += fmt::format("{:.1f} s\n", run.elapsed_s);
  if (const std::string seen = sensitivity_text(run.outcomes); !seen.empty()) {
    out += "  can see   " + seen + "\n";
  }
  out += blind_lines(run.outcomes) + improvement_lines(run);
  if (run.partial) {
    out += run.info.selection.empty()
               ? "  PARTIAL   interrupted: the cases that are missing were not measured\n"
               : "  PARTIAL   only what the environment selects: " + run.info.selection + "\n";
  }
  return results_path.empty() ? out : out + "  results   " + results_path + "\n";
}

}  // namespace perfgate
