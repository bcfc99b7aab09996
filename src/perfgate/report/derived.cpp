#include "perfgate/report/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "perfgate/model/case_key.h"
#include "perfgate/report/speedups.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {

std::vector<MeanOverShapes> means_over_shapes(const std::vector<Outcome>& outcomes) {
  std::map<std::string, std::vector<Rate>> groups;
  for (const auto& outcome : outcomes) {
    for (const Phase phase : phases_of(outcome)) {
      const auto group = shape_group(key_of_phase(outcome.case_key, phase));
      const auto rate = rate_of(outcome, phase);
      if (group && rate) {
        groups[*group].push_back(*rate);
      }
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

std::string derived_text(const std::vector<Outcome>& outcomes) {
  std::string out;
  for (const auto& entry : means_over_shapes(outcomes)) {
    const auto text = [&](double value) { return value_text(value, entry.mean.unit); };
    out +=
        fmt::format("    {:<46} {:>12}   from {} to {} over {} shapes\n", entry.group,
                    text(entry.mean.value), text(entry.lowest), text(entry.highest), entry.shapes);
  }
  return (out.empty() ? "" : "  mean over shapes, not judged\n" + out + "\n") +
         speedups_text(outcomes);
}

namespace {

// What a published value is compared with, by its key and unit: means over shapes, and the rates of
// cases.
std::map<std::pair<std::string, Unit>, double> rates_by_published_key(
    const std::vector<Outcome>& outcomes) {
  std::map<std::pair<std::string, Unit>, double> out;
  for (const auto& entry : means_over_shapes(outcomes)) {
    out[{entry.group, entry.mean.unit}] = entry.mean.value;
  }
  for (const auto& outcome : outcomes) {
    for (const Phase phase : phases_of(outcome)) {
      for (const auto& rate : rates_of(outcome, phase)) {
        out[{key_of_phase(outcome.case_key, phase), rate.unit}] = rate.value;
      }
    }
  }
  return out;
}

}  // namespace

std::string published_text(const std::vector<Outcome>& outcomes,
                           const std::vector<Published>& published) {
  std::string out;
  const auto here = rates_by_published_key(outcomes);
  for (const auto& file : published) {
    std::string block;
    for (const auto& [key, values] : file.values) {
      for (const auto& value : values) {
        if (const auto found = here.find({key, value.unit}); found != here.end()) {
          block +=
              fmt::format("    {:<46} {:>14}   here {}\n", key, value_text(value.value, value.unit),
                          value_text(found->second, value.unit));
        }
      }
    }
    if (!block.empty()) {
      out += fmt::format("\n  published for {}, not measured here, not judged\n{}", file.device,
                         block);
    }
  }
  return out;
}

}  // namespace perfgate
