#pragma once
// What a baseline file says of one metric, as the numbers the judge needs. A session's value is
// the median of its workers' measurements, or the best of them, in logs, signed so that larger is
// slower.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/clock.h"
#include "perfgate/gate/dram_response.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {

struct DeviceReference {
  double value = 0;                     ///< mean of the device's reference sessions
  int sessions = 0;                     ///< how many those are
  int all_sessions = 0;                 ///< of this device in the revision in force
  std::optional<double> log_mhz;        ///< mean clock of the reference sessions; of cycles
  std::optional<double> log_dram_read;  ///< mean rate of the reference sessions, of GB/s; unset
                                        ///< where one of them has none
};

struct MetricHistory {
  std::map<std::string, DeviceReference> devices;  ///< of the revision in force, by device
  SumOfSquares between_sessions;  ///< within device and revision, pooled over all revisions
  SumOfSquares
      between_devices;  ///< within revision, pooled; a device counts in its newest revision alone
  /// The same devices, by revision, of which it is known how fast they read DRAM.
  std::vector<std::vector<DevicePoint>> device_points;
  SumOfSquares of_values;              ///< value_variance of every session, a degree each
  std::optional<ClockResponse> clock;  ///< of the references in force; of cycles
};

/// Whether a case measures the device itself: such a one is not explained by what devices do.
bool is_ceiling(const std::string& case_key);

/// A metric may be younger than its case: sessions without it tell nothing. Precondition: `metric`
/// is a judged metric of `record`, and the file passed the strict reader.
MetricHistory history_of(const Baseline& baseline, const CaseRecord& record, Metric metric,
                         const ClockPolicy& clock);

/// By case and metric.
using MetricHistories = std::map<std::pair<std::string, Metric>, MetricHistory>;

/// Of every metric that is judged.
MetricHistories histories_of(const Baseline& baseline, const ClockPolicy& clock);

}  // namespace perfgate
