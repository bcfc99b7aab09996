#include "perfgate/gate/learned_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "perfgate/core/errors.h"
#include "perfgate/gate/global_change.h"

namespace perfgate {

void require_known_classes(const Baseline& baseline, const Policy& policy,
                           const std::string& file) {
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [which, metric] : record.metrics) {
      if (metric.judged && policy.classes.count(metric.variance_class) == 0) {
        throw UsageError(
            fmt::format("{}: metric \"{}\" of case \"{}\": at \"/variance_class\": policy.json "
                        "knows no class \"{}\"",
                        file, text_of(which), key, metric.variance_class.substr(0, 80)),
            "correct it, or add the class to baselines/policy.json, with its source");
      }
    }
  }
}

double share_of_budget(const Baseline& baseline, const Policy& policy,
                       const std::set<std::string>& cases) {
  auto judged = static_cast<std::ptrdiff_t>(number_of_groups(baseline, policy, cases));
  for (const auto& [key, record] : baseline.cases) {
    if (cases.empty() || cases.count(key) > 0) {
      judged += std::count_if(record.metrics.begin(), record.metrics.end(),
                              [](const auto& metric) { return metric.second.judged; });
    }
  }
  return policy.false_alarms_a_night / static_cast<double>(std::max<std::ptrdiff_t>(1, judged));
}

}  // namespace perfgate
