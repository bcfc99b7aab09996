#include "perfgate/report/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {

std::optional<std::string> shape_group(const std::string& case_key) {
  static const std::regex shape("/((D|k|mn)[0-9]+|[0-9]+(x[0-9]+)+)(?=/|$)");
  std::string group = std::regex_replace(case_key, shape, "");
  return group == case_key ? std::nullopt : std::optional<std::string>(group);
}

std::vector<MeanOverShapes> means_over_shapes(const std::vector<Outcome>& outcomes) {
  std::map<std::string, std::vector<Rate>> groups;
  for (const auto& outcome : outcomes) {
    const auto group = shape_group(outcome.case_key);
    const auto rate = rate_of(outcome);
    if (group && rate) {
      groups[*group].push_back(*rate);
    }
  }
  std::vector<MeanOverShapes> out;
  for (const auto& [group, rates] : groups) {
    if (rates.size() < 2) {
      continue;
    }
    std::vector<double> values;
    for (const auto& rate : rates) {
      values.push_back(rate.value);
    }
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    out.push_back({group,
                   {mean(values), rates.front().unit},
                   *lowest,
                   *highest,
                   static_cast<int>(values.size())});
  }
  return out;
}

namespace {

// Of the mean of tonight's processes, the metric that the ratio is of. Of a single one, what the
// judge allows it: wider, for that is of the difference to other nights, and maybe to other units.
std::optional<double> half_width_of(const Outcome& outcome) {
  std::vector<double> times_us;
  for (const auto& report : outcome.reports) {
    if (report.metrics.count("time") > 0) {
      times_us.push_back(report.metrics.at("time").figure);
    }
  }
  if (times_us.size() < 2) {
    const auto* judgement = outcome.of_time();
    return judgement == nullptr ? std::nullopt : std::optional(judgement->half_width);
  }
  const auto squares = deviations(times_us);
  const double error = std::sqrt(squares.variance() / static_cast<double>(times_us.size()));
  return student_t_quantile(0.025, squares.degrees) * error / mean(times_us);
}

std::string implementation_of(const std::string& case_key) {
  return case_key.substr(case_key.rfind('/') + 1);
}

std::string speedup_group(const Speedup& entry) {
  return shape_group(entry.case_key).value_or(entry.case_key) + " over " +
         implementation_of(entry.over);
}

std::string speedup_text(const std::vector<Outcome>& outcomes) {
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
    out += "\n";
  }
  return out.empty() ? "" : "  speed-up, not judged\n" + out + "\n";
}

}  // namespace

std::vector<Speedup> speedups(const std::vector<Outcome>& outcomes) {
  std::map<std::string, const Outcome*> by_key;
  for (const auto& outcome : outcomes) {
    by_key[outcome.case_key] = &outcome;
  }
  std::vector<Speedup> out;
  for (const auto& outcome : outcomes) {
    const auto time_us = median_figure(outcome, "time");
    if (!time_us || outcome.reports.front().compared_with.empty()) {
      continue;
    }
    const auto other = by_key.find(outcome.reports.front().compared_with);
    const auto other_us =
        other == by_key.end() ? std::nullopt : median_figure(*other->second, "time");
    if (!other_us) {
      continue;
    }
    const auto here = half_width_of(outcome);
    const auto there = half_width_of(*other->second);
    out.push_back({outcome.case_key, other->first, *other_us / *time_us,
                   here && there ? std::optional(std::hypot(*here, *there)) : std::nullopt});
  }
  return out;
}

std::string derived_text(const std::vector<Outcome>& outcomes) {
  std::string out;
  for (const auto& entry : means_over_shapes(outcomes)) {
    const auto text = [&](double figure) { return figure_text(figure, entry.mean.unit); };
    out +=
        fmt::format("    {:<46} {:>12}   from {} to {} over {} shapes\n", entry.group,
                    text(entry.mean.value), text(entry.lowest), text(entry.highest), entry.shapes);
  }
  return (out.empty() ? "" : "  mean over shapes, not judged\n" + out + "\n") +
         speedup_text(outcomes);
}

std::string published_text(const std::vector<Outcome>& outcomes,
                           const std::vector<Baseline>& published) {
  std::string out;
  const auto means = means_over_shapes(outcomes);
  for (const auto& file : published) {
    if (!file.published) {
      continue;
    }
    std::string block;
    for (const auto& entry : means) {
      const auto found = file.published->figures.find(entry.group);
      if (found != file.published->figures.end()) {
        block += fmt::format("    {:<46} {:>12}   here {}\n", entry.group,
                             figure_text(found->second.figure, found->second.unit),
                             figure_text(entry.mean.value, entry.mean.unit));
      }
    }
    if (!block.empty()) {
      out += fmt::format("\n  published for {}, not measured here, not judged\n{}",
                         file.device.model, block);
    }
  }
  return out;
}

}  // namespace perfgate
