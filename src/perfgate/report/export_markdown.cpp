// A page that a person reads where the job ran: the verdict, what failed, then everything.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "perfgate/core/plain_text.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/report/canary_text.h"
#include "perfgate/report/creep_text.h"
#include "perfgate/report/export.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/global_text.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/refresh_text.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

// A key holds none of Markdown's characters but "_", which code spans leave alone; what else is
// shown as code may hold a backquote.
std::string code(const std::string& text) {
  std::string out = plain(text);
  std::replace(out.begin(), out.end(), '`', '\'');
  return "`" + out + "`";
}

std::string row(const Outcome& outcome, Phase phase) {
  const Columns columns = columns_of(outcome, phase);
  const auto* judgement = outcome.deciding(phase);
  return fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} |\n", code(key_of_phase(outcome.case_key, phase)),
      columns.time, columns.rate, columns.utilisation,
      judgement != nullptr ? change_in_words(judgement->metric, judgement->change) : "",
      judgement != nullptr ? mde_text(judgement->mde) : "",
      judgement != nullptr || outcome.message.empty()
          ? verdict_text(outcome) + remarks(outcome, phase)
          : fmt::format("{}: {}", verdict_text(outcome), for_markdown(outcome.message)));
}

constexpr const char* kHead =
    "| case | time | rate | util | change | MDE | verdict |\n"
    "|---|--:|--:|--:|--:|--:|---|\n";

std::string counts_line(const Run& night) {
  const auto accepted = std::count_if(night.outcomes.begin(), night.outcomes.end(),
                                      [](const Outcome& outcome) { return outcome.accepted(); });
  if (accepted > 0) {
    return fmt::format("{} recorded, {} not", accepted,
                       static_cast<std::ptrdiff_t>(night.outcomes.size()) - accepted);
  }
  std::string out;
  for (const auto& [verdict, name] : kNames<Verdict>) {
    if (const int number = count(night.outcomes, verdict); number > 0) {
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number, name);
    }
  }
  return out;
}

const char* headline(const Run& night) {
  switch (night.exit_code) {
    case ExitCode::kOk:
      return is_refresh(night) ? "was recorded" : "holds its baseline";
    case ExitCode::kFail:
      return "FAILED";
    case ExitCode::kRefused:
      return is_refresh(night) ? "was recorded in part: cases were refused"
                               : "was not judged in full";
    case ExitCode::kUsage:
    case ExitCode::kSkipped:
      return "ran nothing";
  }
  return "FAILED";
}

}  // namespace

std::string markdown_text(const ExportInput& input) {
  const Run& night = input.night;
  const Baseline* baseline = input.baseline;
  const bool baseline_required = input.baseline_required;
  const auto& info = night.info;
  std::string out =
      fmt::format("## perfgate: {} {}\n\n{}, device {}, LibTorch {}{}, commit {}. {}.\n",
                  for_markdown(info.device.model), headline(night), for_markdown(info.started),
                  code(info.session.device_id), for_markdown(info.session.libtorch),
                  info.session.driver ? ", driver " + for_markdown(*info.session.driver) : "",
                  code(info.session.commit), counts_line(night));
  if (!night.not_run.empty()) {
    out += fmt::format("\n**Not judged**: {} selected that did not run: {}.\n",
                       plural(night.not_run.size(), "case"),
                       code(fmt::format("{}", fmt::join(night.not_run, ", "))));
  }
  if (night.partial) {
    out += "\n**Partial**: interrupted, the cases that are missing were not measured.\n";
  }
  if (const auto text = canary_lines(night.canaries); !text.empty()) {
    out += "\n" + markdown_block(text);
  }
  if (is_refresh(night)) {
    out += "\n" + markdown_block(refresh_text(night, ""));
  }
  if (const auto text = global_lines(night); !text.empty()) {
    out += "\n" + markdown_block(text);
  }
  if (const auto text = creep_lines(night); !text.empty()) {
    out += "\n" + markdown_block(text);
  }
  auto failures = failures_of(night, baseline_required);
  for (const auto& outcome : night.outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid) {
      failures.push_back(&outcome);
    }
  }
  for (const auto& text : failure_texts(failures, info, baseline)) {
    out += "\n" + markdown_block(text);
  }
  if (const auto text = other_kernels_text(night.outcomes, baseline); !text.empty()) {
    out += "\n" + markdown_block(text);
  }
  out += fmt::format("\n<details><summary>All {} cases</summary>\n\n", night.outcomes.size());
  out += kHead;
  for (const auto& outcome : night.outcomes) {
    const auto phases = phases_of(outcome);
    for (const Phase phase : phases.empty() ? std::vector{Phase::kWhole} : phases) {
      out += row(outcome, phase);
    }
  }
  return out + "\n</details>\n";
}

}  // namespace perfgate
