#include "perfgate/gate/metric_finding.h"

#include <fmt/format.h>

#include "perfgate/gate/mde_text.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

bool stands_beside_time(Quantity quantity) {
  return quantity == Quantity::kPeakMemory || quantity == Quantity::kOwn ||
         is_of_host_pass(quantity);
}

std::optional<std::string> why_blind(const MetricFinding& steadiest, double allowed) {
  if (steadiest.mde <= allowed) {
    return std::nullopt;
  }
  return fmt::format("{}its MDE is {}, and the policy allows {}", prefix_of(steadiest.metric.phase),
                     mde_text(steadiest.mde), mde_text(allowed));
}

}  // namespace perfgate
