#include "perfgate/gate/case_group.h"

#include "perfgate/model/case_key.h"

namespace perfgate {

CaseGroup family_group(const std::string& case_key, const MetricRecord& metric) {
  return {family_of(case_key), metric.variance_class, {}, metric.statistic};
}

CaseGroup class_group(const MetricRecord& metric) {
  return {{}, metric.variance_class, {}, metric.statistic};
}

CaseGroup night_group(const std::string& case_key, Metric metric, const MetricRecord& record) {
  return {family_of(case_key), record.variance_class, metric, {}};
}

CaseGroup sibling_group(const std::string& case_key, const CaseRecord& record, Metric metric) {
  const auto& description = record.metrics.at(metric);
  return {family_of(case_key), description.variance_class, metric, description.statistic};
}

}  // namespace perfgate
