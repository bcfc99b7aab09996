#include "perfgate/gate/siblings.h"

#include <cmath>
#include <vector>

#include "perfgate/stats/descriptive.h"

namespace perfgate {

void SiblingChanges::add(const CaseGroup& group, const std::string& case_key, LogChange change) {
  changes_[group][case_key] = change.log;
}

bool SiblingChanges::has(const CaseGroup& group, const std::string& case_key) const {
  const auto found = changes_.find(group);
  return found != changes_.end() && found->second.count(case_key) > 0;
}

std::optional<TonightsEffect> SiblingChanges::beside(const CaseGroup& group,
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
