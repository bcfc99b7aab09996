#include "perfgate/gate/siblings.h"

#include <cmath>
#include <vector>

#include "perfgate/model/case_key.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {

SiblingGroup sibling_group(const std::string& case_key, const CaseRecord& record, Metric metric) {
  const auto& description = record.metrics.at(metric);
  return {family_of(case_key), description.variance_class, metric, description.statistic};
}

void SiblingChanges::add(const SiblingGroup& group, const std::string& case_key,
                         double log_change) {
  changes_[group][case_key] = log_change;
}

bool SiblingChanges::has(const SiblingGroup& group, const std::string& case_key) const {
  const auto found = changes_.find(group);
  return found != changes_.end() && found->second.count(case_key) > 0;
}

std::optional<TonightsEffect> SiblingChanges::beside(const SiblingGroup& group,
                                                     const std::string& case_key, int least) const {
  std::vector<double> others;
  if (const auto found = changes_.find(group); found != changes_.end()) {
    for (const auto& [key, change] : found->second) {
      if (key != case_key) {
        others.push_back(change);
      }
    }
  }
  if (static_cast<int>(others.size()) < least) {
    return std::nullopt;
  }
  TonightsEffect out;
  out.value = median(others);
  out.siblings = static_cast<int>(others.size());
  // Of normal values the standard deviation is 1.4826 times the median distance from the median.
  std::vector<double> distances;
  for (const double change : others) {
    distances.push_back(std::abs(change - out.value));
  }
  const double deviation = 1.4826 * median(distances);
  out.variance = deviation * deviation * variance_of_median(others.size());
  return out;
}

}  // namespace perfgate
