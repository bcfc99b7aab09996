#pragma once
// Which cases are of a kind. They lend each other what is known of their noise, and a device or a
// library moves them together.

#include <compare>
#include <optional>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/model/metric.h"

namespace perfgate {

/// Metrics of cases that have in common what is set here.
struct CaseGroup {
  std::string family = {};  ///< empty: any
  std::string variance_class = {};
  std::optional<Metric> metric = {};        ///< unset: any of the class
  std::optional<Statistic> statistic = {};  ///< unset: any

  friend auto operator<=>(const CaseGroup&, const CaseGroup&) = default;
};

/// Cases of a family whose metrics are as noisy: of one class and statistic.
CaseGroup family_group(const std::string& case_key, const MetricRecord& metric);
/// The same of whichever family.
CaseGroup class_group(const MetricRecord& metric);
/// Cases of a family that a night may move together: of one metric, and of one class of noise.
CaseGroup night_group(const std::string& case_key, Metric metric, const MetricRecord& record);
/// Cases that a device slows alike: of one family, class, metric and statistic.
CaseGroup sibling_group(const std::string& case_key, const CaseRecord& record, Metric metric);

}  // namespace perfgate
