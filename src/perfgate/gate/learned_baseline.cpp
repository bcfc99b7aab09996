#include "perfgate/gate/learned_baseline.h"

#include <fmt/format.h>

#include "perfgate/core/errors.h"

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

}  // namespace perfgate
