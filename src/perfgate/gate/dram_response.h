#pragma once
// How a body's time goes with the DRAM of the device that it runs on. Devices of one model differ:
// H200s come with two kinds of memory, which read at 4.51 and 4.59 TB/s, and what waits for memory
// is up to 3 % faster on the one or on the other, each body by its own. The rate is measured with
// every session and tells the kinds apart, so a device that the baseline does not know is compared
// with what others of its kind let expect.

#include <vector>

#include "perfgate/gate/policy.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/moderation.h"

namespace perfgate {

/// What a body takes on one device, in logs, and how fast that device reads DRAM, in logs of GB/s.
struct DevicePoint {
  double log_rate = 0;
  double value = 0;
};

/// The straight line that values follow over rates.
struct DramResponse {
  double slope = 0;
  double variance = 0;          ///< of the slope
  ModeratedVariance remaining;  ///< between devices, around the line
};

/// Bayesian linear regression within revisions, for a revision changes the values of all devices:
/// the slope is shrunk toward 0 by as much as the rates that were seen leave it open, and costs a
/// share of one degree of freedom. The variance around the line is moderated as a class's variances
/// are (stats/moderation.h); slope and variance depend on each other, and are found in turn.
DramResponse fit_dram_response(const std::vector<std::vector<DevicePoint>>& revisions,
                               const DramPolicy& policy);

}  // namespace perfgate
