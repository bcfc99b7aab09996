#pragma once
// The seam between a case and the way it is timed. A Sampler turns a body into measurements by a
// fixed protocol; it knows nothing of tensors, baselines or verdicts.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/measure/kernel_trace.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// Which measurement of a body is judged.
enum class Judged {
  kDeviceTime,     ///< what the device takes, in the backend's own steadiest terms
  kElapsed,        ///< the time as read, nothing subtracted
  kHost,           ///< what the host takes to queue the work (GPUs)
  kDeviceAndHost,  ///< how long the device is busy, and by itself the host's time, over that of a
                   ///< control: of kernels that are queued one by one (GPUs)
  kReplayAndHost,  ///< what the device takes, and by itself the host's time, over that of a
                   ///< control: of graphs, whose kernels the device launches itself (GPUs)
};

constexpr bool judges_host_beside_device(Judged judged) {
  return judged == Judged::kDeviceAndHost || judged == Judged::kReplayAndHost;
}

constexpr bool judges_device_time(Judged judged) {
  return judged == Judged::kDeviceTime || judges_host_beside_device(judged);
}

/// What is timed. Inputs exist already; `run` does the work once.
struct Body {
  std::function<void()> run;
  Traffic traffic;
  Seconds expected{0};  ///< rough length, from the case's closed form; chooses the sample count
  std::vector<std::span<const std::byte>> operands;  ///< host memory that a cold run has to fetch
  Judged judged = Judged::kDeviceTime;
  std::optional<Ceiling> ceiling = {};  ///< which of the run's its utilisation is of
  Statistic statistic =
      Statistic::kMedian;                ///< of a session's workers, where device time is judged
  std::optional<double> tolerance = {};  ///< relative, of device time; the policy's where none
  /// Called before each run, outside of what is timed; empty: nothing is to be done.
  std::function<void()> before_each = {};
};

/// Under what a body is measured.
struct Conditions {
  double inject_percent = 0;  ///< extra work inside the timed region that costs this much of the
                              ///< body's own time; 0 for none
  CeilingRates ceilings;      ///< what this run measured of the device
};

struct MeasuredBody {
  std::map<Quantity, Measurement> metrics;
  PhaseReport report;  ///< all but the traffic and the outputs, which are the case's to say
  std::vector<Activity> execution = {};  ///< what the last traced one ran; empty without a trace
};

/// What a body runs.
struct TracedBody {
  std::optional<Trace> trace;            ///< nothing where the device has none to take
  std::vector<Activity> execution = {};  ///< as of a measured body
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Does to the device what bodies of this bound are measured behind. Before such a body is
  /// prepared: what a library searches for depends on it too.
  virtual void precondition(Bound /*bound*/) {}
  virtual MeasuredBody measure(const Body& body, const Conditions& conditions) = 0;
  /// What the body runs, of a device where nothing is judged by that; behind all that is measured.
  virtual TracedBody traced(const Body& /*body*/) { return {}; }
  /// The device's rates and costs right now.
  virtual CeilingRates ceilings() = 0;
};

}  // namespace perfgate
