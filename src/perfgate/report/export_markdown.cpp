// A page that a person reads where the job ran: the verdict, what failed, then everything.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "perfgate/core/plain_text.h"
#include "perfgate/core/utc_time.h"
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

constexpr std::size_t kLongestInRow = 1000;

// Grows by whole blocks and whole rows up to a limit, less what has to follow whatever fits.
class Page {
 public:
  Page(std::string head, std::size_t most) : text_(std::move(head)), most_(most) {}
  [[nodiscard]] bool fits(const std::string& part) const {
    return text_.size() + part.size() <= most_;
  }
  // Whether it fitted, and now stands there.
  bool add(const std::string& part) {
    const bool out = fits(part);
    text_ += out ? part : "";
    return out;
  }
  // The block as far as it fits, where that is worth reading; whether it was.
  bool add_beginning(const std::string& text) {
    constexpr std::size_t kWorthReading = 100;
    for (std::size_t size = text.size(); size > kWorthReading; size -= size / 4) {
      if (add("\n" + markdown_block(shortened(text, size)))) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t most_;
};

std::string row(const Outcome& outcome, Phase phase) {
  const Columns columns = columns_of(outcome, phase);
  const auto* judgement = outcome.deciding(phase);
  return fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} |\n",
      markdown_code(shortened(key_of_phase(outcome.case_key, phase), kLongestInRow)), columns.time,
      columns.rate, columns.utilisation,
      judgement != nullptr ? change_in_words(judgement->metric, judgement->change) : "",
      judgement != nullptr ? mde_text(judgement->mde) : "",
      judgement != nullptr || outcome.message.empty()
          ? verdict_text(outcome) + remarks(outcome, phase)
          : fmt::format("{}: {}", verdict_text(outcome),
                        for_markdown(shortened(outcome.message, kLongestInRow))));
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

// What there is room for, of texts that may be of any length.
std::string head_of(const Run& night, std::size_t limit) {
  const std::size_t most = std::min<std::size_t>(100, limit / 20);
  const auto& [info, session] = std::tie(night.info, night.info.session);
  const auto words = [most](const std::string& text) {
    return for_markdown(shortened(text, most));
  };
  const auto code = [most](const std::string& text) {
    return markdown_code(shortened(text, most));
  };
  return fmt::format("## perfgate: {} {}\n\n{}, device {}, LibTorch {}{}, commit {}. {}.\n",
                     words(info.device.model), headline(night),
                     utc_time(info.started) ? words(info.started) : code(info.started),
                     code(session.device_id), words(session.libtorch),
                     session.driver ? ", driver " + words(*session.driver) : "",
                     code(session.commit), counts_line(night)) +
         (night.not_run.empty()
              ? ""
              : fmt::format("\n**Not judged**: {} selected that did not run, {} first.\n",
                            plural(night.not_run.size(), "case"), code(night.not_run.front()))) +
         (night.partial
              ? "\n**Partial**: interrupted, the cases that are missing were not measured.\n"
              : "");
}

std::vector<const Outcome*> worth_telling(const Run& night, bool baseline_required) {
  auto out = failures_of(night, baseline_required);
  for (const auto& outcome : night.outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid) {
      out.push_back(&outcome);
    }
  }
  return out;
}

// Rows as they were gated, or, where there is no room for all of them, those first that changed.
std::string table_of(const Run& night, std::size_t most) {
  struct Row {
    bool passed;
    std::string text;
  };
  std::vector<Row> rows;
  std::size_t size = 0;
  for (const auto& outcome : night.outcomes) {
    const auto phases = phases_of(outcome);
    for (const Phase phase : phases.empty() ? std::vector{Phase::kWhole} : phases) {
      rows.push_back({outcome.verdict == Verdict::kPass, row(outcome, phase)});
      size += rows.back().text.size();
    }
  }
  if (size > most) {
    std::stable_partition(rows.begin(), rows.end(), [](const Row& one) { return !one.passed; });
  }
  std::string out = kHead;
  std::size_t left_out = 0;
  for (const auto& one : rows) {
    const bool fits = out.size() - std::string_view(kHead).size() + one.text.size() <= most;
    left_out += fits ? 0 : 1;
    out += fits ? one.text : "";
  }
  return out + (left_out == 0 ? "" : fmt::format("\n{} more in the results.\n", left_out));
}

}  // namespace

std::string markdown_text(const ExportInput& input) {
  const Run& night = input.night;
  const std::size_t limit = input.limit.value_or(kMarkdownLimit);
  constexpr std::size_t kTail = 350;  // what follows however much is left out
  const std::string head = head_of(night, limit);
  if (head.size() + kTail > limit) {
    return fmt::format("## perfgate: {}\n\n{}. All else is in the results.\n", headline(night),
                       counts_line(night));
  }
  Page page(head, limit - kTail);
  for (const auto& text : {global_lines(night), creep_lines(night)}) {
    if (!text.empty() && !page.add("\n" + markdown_block(text))) {
      page.add_beginning(text);
    }
  }
  std::size_t left_out = 0;
  bool is_first = true;
  for (auto text :
       failure_texts(worth_telling(night, input.baseline_required), night.info, input.baseline)) {
    text = shortened(text, kLongestFailure);
    const bool stands_there =
        page.add("\n" + markdown_block(text)) || (is_first && page.add_beginning(text));
    left_out += stands_there ? 0 : 1;
    is_first = false;
  }
  const std::string more =
      left_out == 0 ? "" : fmt::format("\n**{} more failures in the results.**\n", left_out);
  for (const auto& text :
       {canary_lines(night.canaries), is_refresh(night) ? refresh_text(night, "") : "",
        other_kernels_text(night.outcomes, input.baseline)}) {
    if (!text.empty() && !page.add("\n" + markdown_block(text))) {
      page.add_beginning(text);
    }
  }
  const std::size_t rows = limit - kTail - page.text().size();
  return page.text() + more +
         fmt::format("\n<details><summary>All {} cases</summary>\n\n", night.outcomes.size()) +
         table_of(night, rows) + "\n</details>\n";
}

}  // namespace perfgate
