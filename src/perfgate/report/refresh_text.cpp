#include "perfgate/report/refresh_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

int count_recorded(const Run& run, Recorded recorded) {
  return static_cast<int>(
      std::count_if(run.outcomes.begin(), run.outcomes.end(),
                    [recorded](const Outcome& outcome) { return outcome.recorded == recorded; }));
}

std::string change_line(const Outcome& outcome) {
  const auto* judgement = outcome.deciding();
  if (judgement == nullptr) {  // another protocol: nothing to compare
    return fmt::format("    {:<47}  new revision: {}\n", outcome.case_key, outcome.message);
  }
  const Unit unit = unit_of(judgement->metric);
  const std::string clock = judgement->clock_mhz ? clock_text(judgement->clock_mhz->before) : "";
  return fmt::format("    {:<47} {:>10} -> {:>10}{}  {:<16} new revision\n", outcome.case_key,
                     value_text(judgement->before, unit), value_text(judgement->now, unit), clock,
                     change_in_words(judgement->metric, judgement->change));
}

}  // namespace

std::string refresh_text(const Run& run, const std::string& reason) {
  std::string out = fmt::format("\n  refresh of {}{}\n", run.info.baseline_path,
                                reason.empty() ? "" : "   reason: " + reason);
  for (const auto& outcome : run.outcomes) {
    if (outcome.recorded == Recorded::kRevision) {
      out += change_line(outcome);
    } else if (outcome.recorded == Recorded::kRefused) {
      out += fmt::format("    {:<47}  {}: not recorded{}\n", outcome.case_key,
                         name_of(outcome.verdict),
                         outcome.message.empty() ? "" : "; " + outcome.message);
    }
  }
  const int first = count_recorded(run, Recorded::kFirst);
  const int added = count_recorded(run, Recorded::kSession);
  const int revisions = count_recorded(run, Recorded::kRevision);
  const int refused = count_recorded(run, Recorded::kRefused);
  out += fmt::format(
      "    {} recorded for the first time, {} unchanged (session added), {} changed "
      "(new revision), {} refused\n",
      first, added, revisions, refused);
  const bool written = first + added + revisions > 0;
  out += fmt::format("  {} {}{}\n", written ? "wrote" : "did not touch", run.info.baseline_path,
                     refused > 0 ? fmt::format("        {} refused: exit {}", refused,
                                               static_cast<int>(run.exit_code))
                                 : "");
  return out;
}

}  // namespace perfgate
