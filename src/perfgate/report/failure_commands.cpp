#include "perfgate/report/failure_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "perfgate/core/shell.h"
#include "perfgate/model/case_key.h"
#include "perfgate/report/failure_lines.h"

namespace perfgate {
namespace {

// The first argument that begins so, or empty.
std::string argument(const std::vector<std::string>& command, const std::string& beginning) {
  const auto found = std::find_if(command.begin(), command.end(), [&beginning](const auto& word) {
    return word.starts_with(beginning);
  });
  return found == command.end() ? "" : *found;
}

// As it was asked for: without it, an injected failure would not come again.
std::string injection_flag(const std::vector<std::string>& command) {
  const std::string asked = argument(command, "--inject_slowdown=");
  return asked.empty() ? "" : " " + asked;
}

// What selects the case, and where it was judged beside its siblings, these as well.
std::string selection_that_shows(const Outcome& outcome, const RunInfo& info) {
  const Judgement* judgement = outcome.deciding();
  if (judgement == nullptr || !judgement->effect) {
    return shell_word("--case=" + outcome.case_key);
  }
  const std::string asked = argument(info.command, "--case=");
  return asked.empty() ? "--family=" + family_of(outcome.case_key) : shell_word(asked);
}

// The flag by which a refresh takes it for the new normal, or empty.
std::string how_to_accept(const Outcome& outcome) {
  switch (outcome.verdict) {
    case Verdict::kRegressed:
    case Verdict::kOtherKernels:
      return "--accept='*:why'";
    case Verdict::kNoBaseline:
      return outcome.other_protocol ? "--accept='*:why'" : "--reason=\"why\"";
    case Verdict::kImproved:
      return "--reason=\"why\"";
    default:
      return "";
  }
}

}  // namespace

std::string program_of(const RunInfo& info) {
  const std::string program = shell_word(info.command.empty() ? "perfgate" : info.command.front());
  return info.local_baseline
             ? program + " " +
                   shell_word("--baselines=" +
                              std::filesystem::path(info.baseline_path).parent_path().string())
             : program;
}

std::string command_lines(const Outcome& outcome, const RunInfo& info, bool injected) {
  std::string out;
  const std::string program = program_of(info);
  if (outcome.verdict != Verdict::kLost || !outcome.reports.empty()) {
    out += line("reproduce",
                fmt::format("{}{}{} {}", program, injection_flag(info.command),
                            outcome.verdict == Verdict::kOtherKernels ? " --strict_kernels" : "",
                            selection_that_shows(outcome, info)));
  }
  if (const std::string how = how_to_accept(outcome); !how.empty() && !injected) {
    out += line("accept", fmt::format("{} --refresh {} {}", program, how,
                                      shell_word("--case=" + outcome.case_key)));
  }
  return out;
}

}  // namespace perfgate
