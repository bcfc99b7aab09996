#pragma once
// One sample of a body on a GPU: behind a blocking kernel until all of it is queued, behind a clean
// L2, between two events, with a pause after it. Never leaves a stream blocked, and finds out
// whether this body can be queued whole before it runs.

#include <functional>
#include <optional>
#include <utility>

#include "perfgate/core/units.h"
#include "perfgate/measure/gpu.h"

namespace perfgate {

struct Sample {
  Seconds elapsed{0};           ///< between the events
  Seconds host{0};              ///< that queueing the body took
  double body_clock_mhz = 0;    ///< SM clock, mean over the body
  double clock_behind_mhz = 0;  ///< SM clock right behind it
};

class SampleTaker {
 public:
  /// Borrows `gpu`. After each sample it is left idle for `pause` times the sample's length.
  /// `before_each`: queued before a sample, outside of what is timed; empty: nothing.
  SampleTaker(Gpu& gpu, double pause, std::function<void()> before_each = {})
      : gpu_(gpu), pause_(pause), before_each_(std::move(before_each)) {}

  /// Throws SystemError where the GPU refuses, and whatever `run` throws; the stream is unblocked.
  Sample take(const std::function<void()>& run);

  /// Whether the body can be queued whole before it runs: not where two blocking kernels have timed
  /// out. From then on samples are taken without one.
  [[nodiscard]] bool queued_whole() const { return timed_out_ < 2; }
  /// Samples whose blocking kernel timed out.
  [[nodiscard]] int discarded() const { return timed_out_; }

 private:
  std::optional<Sample> once(const std::function<void()>& run);

  Gpu& gpu_;
  double pause_;
  std::function<void()> before_each_;
  int timed_out_ = 0;
};

}  // namespace perfgate
