#include "perfgate/report/paired_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "perfgate/core/version.h"
#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/host_text.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/paired_sentence.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr std::size_t kKeyWidth = 50;
constexpr std::size_t kKernels = 5;
constexpr const char* kRow = "{:>7} {:<50} {:>9} {:>9} {:>8} {:>6}";
constexpr const char* kChanged = "  {:<55} {:>9} {:>9} {:>8}  {:<18} {:>7} {:>5}  {}\n";

struct Shown {
  std::string before;
  std::string now;
};

std::vector<double> values_of(const std::vector<WorkerReport>& reports, Metric metric) {
  std::vector<double> out;
  for (const auto& report : reports) {
    const auto found = report.metrics.find(metric);
    if (found != report.metrics.end()) {
      out.push_back(found->second.value);
    }
  }
  return out;
}

// People read times: of a rate over a control's, the time that it took.
Metric shown_metric(Metric metric) {
  return metric.quantity == Quantity::kUtilisation ? kTime.in(metric.phase) : metric;
}

Shown shown(const PairedReports& reports, Metric judged) {
  const Metric metric = shown_metric(judged);
  const auto text = [&](const std::vector<WorkerReport>& side) {
    const auto values = values_of(side, metric);
    return values.empty() ? std::string() : value_text(median(values), unit_of(metric));
  };
  return {text(reports.before), text(reports.now)};
}

// The first metric that both sides have, of those that say what a case takes.
std::optional<Metric> time_of(const PairedReports& reports) {
  if (reports.before.empty()) {
    return std::nullopt;
  }
  for (const auto& [phase, part] : reports.before.back().phases) {
    for (const Metric metric : {kTime.in(phase), kNetTime.in(phase), kBusyTime.in(phase)}) {
      if (!values_of(reports.before, metric).empty() && !values_of(reports.now, metric).empty()) {
        return metric;
      }
    }
  }
  return std::nullopt;
}

// Of the pairs, as they are judged: on a CPU by the rate over the control's.
double paired_change(const PairedReports& reports, Metric time) {
  const Metric utilisation = kUtilisation.in(time.phase);
  const bool has_both = reports.before.back().metrics.count(utilisation) > 0 &&
                        reports.now.back().metrics.count(utilisation) > 0;
  const auto differences = paired_differences(reports, has_both ? utilisation : time);
  return differences.logs.empty() ? 0 : std::expm1(mean(differences.logs));
}

std::string kernel_lines(const PairedReports& reports) {
  std::string out;
  std::set<Phase> phases;
  for (const auto& report : reports.before) {
    for (const auto& [phase, part] : report.phases) {
      phases.insert(phase);
    }
  }
  for (const Phase phase : phases) {
    for (const auto& line : kernel_changes(traced_kernels(reports.before, phase),
                                           traced_kernels(reports.now, phase), kKernels)) {
      out += "        " + prefix_of(phase) + line + "\n";
    }
  }
  return out.empty() ? out : "      kernels, by one trace of each build\n" + out;
}

std::string heading_of(const char* what) {
  return fmt::format(kChanged, what, "before", "now", "change", "95 % interval", "MDE", "pairs",
                     "verdict");
}

std::string judged_row(const PairedReports& reports, const PairedOutcome& outcome, bool colour) {
  const auto& judgement = *outcome.deciding();
  const auto sides = shown(reports, judgement.metric);
  return fmt::format(kChanged, clipped(name_of_compared(reports.case_key, judgement), 55),
                     sides.before, sides.now, change_text(judgement.change),
                     paired_interval_text(judgement), mde_text(judgement.mde), judgement.pairs,
                     painted(outcome.verdict, name_of(outcome.verdict), colour));
}

std::string changed_text(const std::vector<PairedReports>& reports,
                         const std::vector<PairedOutcome>& outcomes, bool colour) {
  std::string out;
  for (const auto i : changed_places(outcomes)) {
    out += judged_row(reports[i], outcomes[i], colour);
    out += outcomes[i].message.empty() ? "" : "      " + outcomes[i].message + "\n";
    if (const auto host = host_change_text(reports[i], outcomes[i]); !host.empty()) {
      out += wrapped(host, 110, "\n      ").substr(1) + "\n";
    }
    out += kernel_lines(reports[i]);
  }
  return out.empty() ? "" : heading_of("changed, worst first") + out + "\n";
}

// How small a change each case would have shown that shows none, the blindest first.
std::string unchanged_text(const std::vector<PairedReports>& reports,
                           const std::vector<PairedOutcome>& outcomes, bool colour) {
  auto places = places_of(outcomes, {Verdict::kPass, Verdict::kBlind});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return outcomes[a].deciding()->mde > outcomes[b].deciding()->mde;
  });
  std::string out;
  for (const auto i : places) {
    out += judged_row(reports[i], outcomes[i], colour);
  }
  return out.empty() ? "" : heading_of("no change found") + out + "\n";
}

// There is no baseline here that a case could lack.
std::string unjudged_name(Verdict verdict, bool incomparable) {
  return verdict != Verdict::kNoBaseline ? std::string(name_of(verdict))
         : incomparable                  ? "NOT COMPARED"
                                         : "NEW";
}

// Cases that were not judged, by verdict and reason. Of those that cannot run every reason may name
// its case, so that only some are told; of failures all are.
std::string unjudged_text(const std::vector<PairedReports>& reports,
                          const std::vector<PairedOutcome>& outcomes, bool colour) {
  constexpr int kReasons = 3;
  using Kind = std::pair<Verdict, bool>;  // and whether it is incomparable
  std::map<std::pair<Kind, std::string>, std::vector<std::string>> groups;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].judgements.empty()) {
      const Kind kind{outcomes[i].verdict, outcomes[i].incomparable};
      groups[{kind, outcomes[i].message}].push_back(reports[i].case_key);
    }
  }
  const auto heading = [colour](const Kind& kind) {
    return "  " + painted(kind.first, unjudged_name(kind.first, kind.second), colour) + "   ";
  };
  std::string out;
  std::map<Kind, int> told;
  std::map<Kind, std::size_t> untold;
  for (const auto& [group, keys] : groups) {
    const auto& [kind, message] = group;
    const bool fails = exit_code_of(kind.first, false) == ExitCode::kFail;
    if (!fails && ++told[kind] > kReasons) {
      untold[kind] += keys.size();
      continue;
    }
    out += heading(kind) + keys.front() +
           (keys.size() > 1 ? fmt::format(" and {} more", keys.size() - 1) : "") + "\n      " +
           message.substr(0, message.find('\n')) + "\n";
  }
  for (const auto& [kind, number] : untold) {
    out += heading(kind) + fmt::format("{} more, for other reasons\n", number);
  }
  return out.empty() ? "" : out + "\n";
}

std::string other_kernels(const std::vector<PairedReports>& reports,
                          const std::vector<PairedOutcome>& outcomes) {
  std::string out;
  for (const auto i : places_of(outcomes, {Verdict::kPass, Verdict::kBlind})) {
    bool differs = false;
    for (const auto& [phase, part] : reports[i].before.front().phases) {
      differs |= perfgate::other_kernels(traced_kernels(reports[i].before, phase),
                                         traced_kernels(reports[i].now, phase));
    }
    out += differs ? "    " + reports[i].case_key + "\n" + kernel_lines(reports[i]) : "";
  }
  return out.empty() ? "" : "  other kernels, and no change found\n" + out + "\n";
}

std::string build_line(const char* which, const ComparedBuild& build) {
  return fmt::format("  {:<9} {}   LibTorch {}{}\n", which, build.program, build.session.libtorch,
                     build.variables.empty() ? "" : "   " + build.variables);
}

}  // namespace

std::string paired_heading(const Comparison& comparison, const std::string& why_unfit) {
  std::string out = fmt::format("  perfgate {}   {} ({})\n", kVersion, comparison.device.model,
                                comparison.device_id.substr(0, 12));
  out += build_line("before", comparison.before) + build_line("now", comparison.now);
  const std::string changes = session_changes(comparison.before.session, comparison.now.session);
  out += labelled("differs", changes.empty() ? "nothing that perfgate records" : changes);
  out += fmt::format(
      "  pairs     {} to {} a case, in the order ABBA; false-alarm budget {} of "
      "the whole comparison\n",
      std::min(comparison.first_pairs, comparison.most_pairs), comparison.most_pairs,
      percent_text(comparison.false_alarms));
  if (comparison.device.kind == "cpu") {
    out +=
        "  judged    the ratio of each time to that of a control beside it; the rows show times\n";
  }
  if (comparison.inject_slowdown > 0) {
    out +=
        fmt::format("  injected  {} % extra work in the newer build\n", comparison.inject_slowdown);
  }
  out += why_unfit.empty() ? "" : "  machine   INVALID: " + why_unfit + "\n";
  return out + "\n" + fmt::format(kRow, "#", "case", "before", "now", "change", "pairs") + "\n";
}

std::string paired_row(const PairedReports& reports, int number, int total) {
  const std::string place = fmt::format("{}/{}", number, total);
  const std::string key = clipped(reports.case_key, kKeyWidth);
  const auto metric = time_of(reports);
  if (!metric || reports.now.empty()) {
    const bool old_fails =
        reports.now.empty() || reports.now.back().status == WorkerStatus::kMeasured;
    const auto& failing = old_fails ? reports.before : reports.now;
    return fmt::format(kRow, place, key, "", "", "", reports.before.size()) + "   " +
           (failing.empty() ? std::string() : std::string(name_of(failing.back().status))) + "\n";
  }
  const auto sides = shown(reports, *metric);
  return fmt::format(kRow, place, key, sides.before, sides.now,
                     change_text(paired_change(reports, *metric)), reports.before.size()) +
         "\n";
}

std::string paired_report(const Comparison& comparison, const std::vector<PairedReports>& reports,
                          const std::vector<PairedOutcome>& outcomes, bool colour) {
  std::string out = "\n" + changed_text(reports, outcomes, colour) +
                    unchanged_text(reports, outcomes, colour) + other_kernels(reports, outcomes) +
                    unjudged_text(reports, outcomes, colour);
  out += fmt::format("  {} judged, {:.1f} s{}\n\n", plural(comparison.metrics, "metric"),
                     comparison.elapsed_s, comparison.interrupted ? "; PARTIAL: interrupted" : "");
  return out + "  " + paired_sentence(comparison, reports, outcomes) + "\n";
}

}  // namespace perfgate
