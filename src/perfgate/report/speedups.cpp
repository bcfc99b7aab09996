#include "perfgate/report/speedups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/model/case_key.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

bool have_the_same_traffic(const Outcome& a, const Outcome& b, Phase phase) {
  const Traffic& one = a.reports.front().phase(phase).traffic;
  const Traffic& other = b.reports.front().phase(phase).traffic;
  return one.bytes.count == other.bytes.count && one.operations.count == other.operations.count &&
         one.bound == other.bound;
}

// What the ratio of two cases is of, or nothing where they have no measurement in common.
std::optional<Metric> metric_for(const Outcome& a, const Outcome& b, Phase phase) {
  std::vector<Metric> candidates;
  if (is_launch_bound(a, phase) || is_launch_bound(b, phase)) {
    candidates.push_back(kBusyTime.in(phase));
  }
  candidates.push_back(kNetTime.in(phase));
  if (have_the_same_traffic(a, b, phase)) {
    candidates.push_back(kUtilisation.in(phase));
  }
  candidates.push_back(kTime.in(phase));
  const auto found = std::find_if(candidates.begin(), candidates.end(), [&](Metric metric) {
    return median_measurement(a, metric) && median_measurement(b, metric);
  });
  return found == candidates.end() ? std::nullopt : std::optional(*found);
}

// Of the mean of tonight's processes. Of a single one, what the judge allows it: wider, for that is
// of the difference to other nights, and maybe to other devices.
std::optional<double> half_width_of(const Outcome& outcome, Metric metric) {
  const auto measurements = measurements_of(outcome, metric);
  if (measurements.size() < 2) {
    const auto* judgement = outcome.judgement_of(metric);
    return judgement == nullptr ? std::nullopt : std::optional(judgement->half_width);
  }
  const auto squares = deviations(measurements);
  const double error = std::sqrt(squares.variance() / static_cast<double>(measurements.size()));
  return student_t_quantile(0.025, squares.degrees) * error / mean(measurements);
}

std::string implementation_of(const std::string& case_key) {
  return case_key.substr(case_key.rfind('/') + 1);
}

std::string speedup_group(const Speedup& entry) {
  return shape_group(entry.case_key).value_or(entry.case_key) + " over " +
         implementation_of(entry.over);
}

Speedup compared(const Outcome& outcome, const Outcome& other, Metric metric) {
  const double here = *median_measurement(outcome, metric);
  const double there = *median_measurement(other, metric);
  const auto width_here = half_width_of(outcome, metric);
  const auto width_there = half_width_of(other, metric);
  return {key_of_phase(outcome.case_key, metric.phase), other.case_key, metric,
          better_of(metric) == Better::kHigher ? here / there : there / here,
          width_here && width_there ? std::optional(std::hypot(*width_here, *width_there))
                                    : std::nullopt};
}

}  // namespace

std::vector<Speedup> speedups(const std::vector<Outcome>& outcomes) {
  std::map<std::string, const Outcome*> measured;
  for (const auto& outcome : outcomes) {
    if (!outcome.reports.empty()) {
      measured[outcome.case_key] = &outcome;
    }
  }
  std::vector<Speedup> out;
  for (const auto& outcome : outcomes) {
    const auto other = outcome.reports.empty()
                           ? measured.end()
                           : measured.find(outcome.reports.front().compared_with);
    if (other == measured.end()) {
      continue;
    }
    for (const Phase phase : phases_of(outcome)) {
      if (const auto metric = metric_for(outcome, *other->second, phase)) {
        out.push_back(compared(outcome, *other->second, *metric));
      }
    }
  }
  return out;
}

std::string speedups_text(const std::vector<Outcome>& outcomes) {
  std::map<std::string, std::vector<Speedup>> groups;
  for (auto& entry : speedups(outcomes)) {
    groups[speedup_group(entry)].push_back(std::move(entry));
  }
  std::string out;
  for (const auto& [group, entries] : groups) {
    std::vector<double> ratios;
    std::optional<double> widest = 0;  // none where any has none
    for (const auto& entry : entries) {
      ratios.push_back(entry.ratio);
      widest = widest && entry.half_width ? std::optional(std::max(*widest, *entry.half_width))
                                          : std::nullopt;
    }
    const auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
    const std::string width = widest ? fmt::format(" +- {}", percent_text(*widest)) : "";
    const bool one = entries.size() == 1;
    const auto& last = entries.back();
    out += fmt::format("    {:<64} {:>#6.3g}x{}",
                       one ? last.case_key + " over " + implementation_of(last.over) : group,
                       mean(ratios), one ? width : "");
    if (!one) {
      out += fmt::format("   from {:#.3g}x to {:#.3g}x over {} shapes{}", *lowest, *highest,
                         entries.size(), widest ? ", each" + width + " at most" : "");
    }
    out += '\n';
  }
  return out.empty() ? "" : "  speed-up, not judged\n" + out + "\n";
}

}  // namespace perfgate
