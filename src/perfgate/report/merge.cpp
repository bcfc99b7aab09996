#include "perfgate/report/merge.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace perfgate {

Run merged(std::vector<Run> runs, bool baseline_required) {
  if (runs.empty()) {
    throw std::invalid_argument("a night without a run");
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.info.started < b.info.started; });
  Run out;
  out.info = runs.back().info;
  out.info.family = "all";
  std::set<std::string> units;
  for (const auto& run : runs) {
    units.insert(run.info.session.unit);
  }
  out.info.session.unit = fmt::format("{}", fmt::join(units, ", "));
  std::set<std::string> seen;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    out.elapsed_s += run->elapsed_s;
    out.partial = out.partial || run->partial;
    std::vector<Outcome> fresh;
    for (const auto& outcome : run->outcomes) {
      if (seen.insert(outcome.case_key).second) {
        fresh.push_back(outcome);
      }
    }
    out.outcomes.insert(out.outcomes.begin(), fresh.begin(), fresh.end());
  }
  out.exit_code = exit_code_of(out.outcomes, baseline_required);
  if (out.partial) {  // what was not measured has not passed
    out.exit_code = stronger(out.exit_code, ExitCode::kFail);
  }
  return out;
}

}  // namespace perfgate
