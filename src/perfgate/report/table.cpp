#include "perfgate/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "perfgate/core/facts.h"
#include "perfgate/core/version.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/report/fitted.h"
#include "perfgate/report/host_text.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

constexpr const char* kRow = "{:>7} {:<50} {:>8} {:>11} {:>5} {:>8} {:>7}  {}";
// Without rate and utilisation, for a terminal of 80 columns.
constexpr const char* kNarrowRow = "{:>7} {:<34} {:>8} {:>8} {:>7}  {}";
constexpr std::size_t kRowColumns = 110;  // of the wide one, with a verdict

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// "LibTorch  2.13.0+cpu (git cf30153c4c13)", and on a line of its own where it lies.
std::string libtorch_lines(const RunInfo& info) {
  const auto fact = [&](const char* name) {
    const auto found = info.environment.find(name);
    return found == info.environment.end() ? "" : found->second;
  };
  const std::string commit = fact("libtorch_commit");
  const std::string folder = fact("libtorch_folder");
  return "\n  LibTorch  " + info.session.libtorch +
         (commit.empty() ? "" : " (git " + commit + ")") +
         (folder.empty() ? "" : "\n            " + folder);
}

std::string last_session(const Baseline& baseline) {
  std::string out;
  for (const auto& [id, session] : baseline.sessions) {
    out = std::max(out, session.date.substr(0, 10));
  }
  return out;
}

// What differs from the newest session that tonight can be compared with. Each failure says what of
// it can matter to its case.
std::string changed_lines(const RunInfo& info, const Baseline& baseline) {
  const auto* newest = newest_session(baseline, info.session.device_id);
  const std::string changes = session_changes(*newest, info.session);
  if (changes.empty()) {
    return "";
  }
  const std::string lines =
      labelled("changed", fmt::format("since {}: {}", newest->date.substr(0, 10), changes));
  return "\n" + lines.substr(0, lines.size() - 1);
}

// Two machines of one id would be taken for one device, and each judged by the other's sessions.
std::string other_host_line(const RunInfo& info, const Baseline& baseline) {
  if (info.device.kind != "cpu") {
    return "";
  }
  std::string other;
  for (const auto& [id, session] : baseline.sessions) {
    if (session.device_id == info.session.device_id && session.host != info.session.host) {
      other = session.host;
    }
  }
  return other.empty() ? ""
                       : "\n            sessions of this machine's id were recorded on the host " +
                             other + ", and this one is " + info.session.host +
                             ":\n            where these are two machines, name each by "
                             "PERFGATE_DEVICE_ID";
}

// "12 compared with sessions of this device, MDE 2.3 % in the median".
std::string outlook_part(const NightOutlook::Part& part, const std::string& with) {
  return part.cases == 0 ? ""
                         : fmt::format("\n            {} compared with {}, MDE {} in the median",
                                       part.cases, with, mde_text(*part.mde));
}

std::string outlook_lines(const NightOutlook& outlook, double false_alarms_a_night) {
  const int all = outlook.own.cases + outlook.others.cases + outlook.unrecorded;
  return fmt::format("\n  tonight   {}; false-alarm budget {}",
                     plural(static_cast<std::size_t>(all), "case"),
                     percent_text(false_alarms_a_night)) +
         outlook_part(outlook.own, "sessions of this device") +
         outlook_part(outlook.others, "other devices alone") +
         (outlook.unrecorded == 0
              ? ""
              : fmt::format("\n            {} not in the baseline", outlook.unrecorded));
}

// What could not be found out of the machine: never to be taken for good.
std::string not_known(const RunInfo& info) {
  std::string out;
  for (const auto& [fact, text] : info.environment) {
    if (const auto why = why_unknown(text)) {
      out += (out.empty() ? "\n            not known: " : ", ") + fact + " (" + *why + ")";
    }
  }
  if (info.no_trace) {
    out += "\n            no kernel trace: " + *info.no_trace +
           "; what is judged by busy time cannot be judged";
  }
  return out;
}

// Why a case came to what it did, and what that is; empty where the verdict says all of it.
std::string reason_of(const Outcome& outcome) {
  const std::string reason = first_line(outcome.message);
  if (outcome.recorded != Recorded::kNot) {
    return reason;
  }
  const bool nothing_recorded = outcome.verdict == Verdict::kNoBaseline && !outcome.other_protocol;
  return reason.empty() || nothing_recorded
             ? ""
             : std::string(name_of(result_of(outcome.verdict))) + ": " + reason;
}

}  // namespace

std::string Table::verdict_column(const Outcome& outcome) const {
  const std::string text = verdict_text(outcome);
  return outcome.accepted() ? text : painted(outcome.verdict, text, colour_);
}

bool Table::is_narrow() const { return columns_ > 0 && columns_ < kRowColumns; }

std::string Table::cells(const std::string& number, const std::string& name, const Columns& columns,
                         const std::string& change, const std::string& mde,
                         const std::string& verdict) const {
  return is_narrow() ? fmt::format(kNarrowRow, number, clipped_in_the_middle(name, 34),
                                   columns.time, change, mde, verdict)
                     : fmt::format(kRow, number, clipped(name, 50), columns.time, columns.rate,
                                   columns.utilisation, change, mde, verdict);
}

// A phase's columns; `verdict`: what stands in the last one.
std::string Table::line(const Outcome& outcome, Phase phase, const std::string& number,
                        const std::string& name, const std::string& verdict) const {
  const Columns columns = columns_of(outcome, phase);
  const auto* judgement = outcome.deciding(phase);
  return cells(number, name, columns, judgement == nullptr ? "" : change_text(judgement->change),
               judgement == nullptr ? "" : mde_text(judgement->mde), verdict) +
         remarks(outcome, phase) + host_pass_remark(outcome, phase);
}

// Of a case with parts, a line each below the case's own.
std::string Table::phase_lines(const Outcome& outcome) const {
  std::string out;
  for (const Phase phase : phases_of(outcome)) {
    const auto* judgement = outcome.deciding(phase);
    out += "\n" + line(outcome, phase, "", "  " + std::string(name_of(phase)),
                       judgement == nullptr || outcome.accepted()
                           ? ""
                           : painted(judgement->verdict, name_of(judgement->verdict), colour_));
  }
  return out;
}

std::string Table::heading(const RunInfo& info, const Baseline* baseline,
                           const NightOutlook& outlook, double false_alarms_a_night) const {
  std::string out = fmt::format("  perfgate {}   {} ({})", kVersion, info.device.model,
                                info.session.device_id.substr(0, 12));
  if (info.session.driver) {
    out += "   driver " + *info.session.driver;
  }
  out += libtorch_lines(info) + "\n  baseline  ";
  if (baseline != nullptr && !baseline->sessions.empty()) {
    out += fmt::format("{}{}, last session {}{}", info.local_baseline ? "LOCAL " : "",
                       info.baseline_path, last_session(*baseline),
                       info.local_baseline ? "\n            not the baselines that are checked in: "
                                             "says whether this machine changes"
                                           : "") +
           other_host_line(info, *baseline) + changed_lines(info, *baseline) +
           outlook_lines(outlook, false_alarms_a_night);
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
                                const std::optional<std::string>& why_unfit) const {
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
  if (const auto quota = info.environment.find("cpu_quota"); quota != info.environment.end()) {
    out += "\n            a quota of " + quota->second;
  }
  const std::string unknown = not_known(info);
  out += unknown;
  if (why_unfit) {
    out += "\n            INVALID: " + *why_unfit;
  } else if (unknown.empty()) {
    out += "   OK";
  }
  return out + "\n\n" + column_heads();
}

std::string Table::column_heads() const {
  return cells("#", "case", {"time", "rate", "util"}, "change", "MDE", "verdict") + "\n";
}

std::string Table::row(const Outcome& outcome, int number, int total) {
  const std::string place = fmt::format("{}/{}", number, total);
  const auto phases = phases_of(outcome);
  const bool has_parts = phases.size() > 1 || (phases.size() == 1 && phases[0] != Phase::kWhole);
  std::string out =
      has_parts ? cells(place, outcome.case_key, {}, "", "", verdict_column(outcome)) +
                      phase_lines(outcome)
                : line(outcome, Phase::kWhole, place, outcome.case_key, verdict_column(outcome));
  const std::string reason = reason_of(outcome);
  const bool was_measured =
      !outcome.reports.empty() && outcome.reports.front().status == WorkerStatus::kMeasured;
  if (!reason.empty() && (was_measured || printed_reasons_.insert(reason).second)) {
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
