#pragma once
// Two builds of one case, measured in pairs on one device, ready to be judged. No baseline is
// needed, and nothing between devices or days is in the difference of a pair.

#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/paired_control.h"
#include "perfgate/gate/paired_outcome.h"
#include "perfgate/gate/policy.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// What the processes of both builds reported of one case, one of each a pair, in the order of the
/// pairs.
struct PairedReports {
  std::string case_key;
  std::vector<WorkerReport> before;
  std::vector<WorkerReport> now;
};

/// Of the pairs that have the metric on both sides, and positive.
PairedDifferences paired_differences(const PairedReports& reports, Metric metric);

/// One judged metric of a case.
struct PairedSeries {
  Metric metric;
  MetricRecord description;
  PairedDifferences differences;
};

/// A case ready to be judged.
struct PairedCase {
  std::vector<PairedSeries> series;  ///< empty where it cannot be judged
  PairedOutcome unjudged = {};       ///< why then
  /// What it does otherwise than before, whatever it takes: it waits for the host.
  std::string waits_now = {};
  /// Of phases that are judged by the ratio to a control.
  std::map<Phase, ControlledPhase> controlled = {};
};

/// Which metrics are judged, as the older build's first processes propose and the rules of a
/// baseline choose (gate/choose_metric.h), but not the SM's cycles, which the time of a pair says
/// as well, and not what compiling took, which no process repeats. Of host passes both are judged
/// where the host decides in either build (gate/paired_host.h). `reports`: at least one pair.
PairedCase paired_case(const PairedReports& reports, const Policy& policy);

/// The kernels of a phase by the first of these reports that traced it; else none.
const std::vector<KernelRecord>& traced_kernels(const std::vector<WorkerReport>& reports,
                                                Phase phase);

}  // namespace perfgate
