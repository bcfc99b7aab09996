#pragma once
// What the judge says of a metric: tonight's measurements against its history, a pure function of
// its arguments. It replaces "slower than last time by more than 5 %": that rule fails on a noisy
// case every week and passes a quiet one that lost 4 %.
//
// d  = value tonight - reference, in logs, positive when slower
// SE = the noise of that difference: sessions, and devices where this one is unknown (of what waits
//      for memory, devices that read DRAM as fast: gate/dram_response.h; of what computes, in a
//      second look, less what the device does to all: gate/device_effect.h); of cycles,
//      compared at one clock, also how little is known of what another clock does to them. How far
//      tonight's processes lie apart is no part of it: or a slowdown that spares one of five would
//      excuse itself by its own spread
// q  = Student's t at the night's false-alarm budget over the number of metrics that it judges; two
//      looks at a device that is unknown share that. Neither q SE nor z SE is more than the largest
//      noise of the kind of device: after one session of a noisy machine a tenfold slowdown would
//      pass as well
// REGRESSED when d > tolerance and d > q SE; IMPROVED mirrors it; SUSPECT on a device that the
// baseline does not know when d > tolerance and chance makes it less often than the policy says;
// MDE = max(tolerance, q SE) + z SE, z being Student's t at the probability to miss it; of what
// slows this case alone, where its siblings are looked at. UNSTEADY when it has not regressed and
// its processes lie further apart than gate/spread.h allows.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/judge.h"
#include "perfgate/gate/metric_finding.h"
#include "perfgate/gate/verdict.h"

namespace perfgate {

/// Mean clocks of the workers, in MHz.
struct ClockChange {
  double now = 0;     ///< tonight's
  double before = 0;  ///< the reference's
};

struct Judgement : MetricFinding {
  double half_width = 0;       ///< relative; 95 % confidence half-width of the change; 1e6 at most
  bool own_tolerance = false;  ///< the case's, not the policy's
  double standard_error = 0;   ///< of the change's log
  double degrees = 0;          ///< of freedom, of that; 1e6 at most
  double spread = 0;  ///< relative; how much slower the slowest process is than the median or,
                      ///< where the best is judged, the median than the best
  double spread_limit = 0;       ///< relative; 1e6 at most: what that may be
  std::optional<double> median;  ///< of tonight's processes, where the best of several is judged
  std::optional<ClockChange> clock_mhz;  ///< of cycles, which are compared at the clock before;
                                         ///< `now` is what it is at that clock
  bool known_device = false;             ///< compared with this device's own reference
  std::optional<TonightsEffect> effect;  ///< what the device does to all such cases, where
                                         ///< `before` includes it
  int sessions = 0;                      ///< that the reference rests on
  int devices = 0;                       ///< that the reference rests on
  bool worth_a_session = false;          ///< a full session has to decide (Policy::screening_share)
};

/// `tonight`: at least one worker's measurements, all positive, of `metric` and, where that is
/// cycles, of their time. `case_key` must be in the baseline, and `metric` be judged there.
/// `device`: the physical device measured on.
Judgement judgement_of(const Judge& judge, const std::string& case_key, Metric metric,
                       const SessionMeasurements& tonight, const std::string& device_id);

}  // namespace perfgate
