#pragma once
// The other cases of a kind in one night, which tell what the device does to all of them.

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

/// Cases that a device slows alike: of one family, class, metric and statistic.
using SiblingGroup = std::tuple<std::string, std::string, Metric, Statistic>;

/// `metric`: one of the case's.
SiblingGroup sibling_group(const std::string& case_key, const CaseRecord& record, Metric metric);

/// What tonight's device does to a case, by the case's siblings.
struct TonightsEffect {
  double value = 0;     ///< in logs, positive when slower
  double variance = 0;  ///< of that
  int siblings = 0;
};

/// How far the cases of one night lie from their references less effects.
class SiblingChanges {
 public:
  void add(const SiblingGroup& group, const std::string& case_key, double log_change);
  /// Whether the case is among them.
  [[nodiscard]] bool has(const SiblingGroup& group, const std::string& case_key) const;
  /// The median of the others. Nothing where they are fewer than `least`.
  [[nodiscard]] std::optional<TonightsEffect> beside(const SiblingGroup& group,
                                                     const std::string& case_key, int least) const;

 private:
  std::map<SiblingGroup, std::map<std::string, double>> changes_;
};

}  // namespace perfgate
