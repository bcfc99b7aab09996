#pragma once
// A GPU whose time passes as a test says.

#include <gtest/gtest.h>

#include <algorithm>

#include "perfgate/measure/gpu.h"

namespace perfgate::testing_support {

/// What is queued between the events takes `queued`.
class FakeGpu : public Gpu {
 public:
  static constexpr Seconds kFloor{2.7e-6};  ///< that the events alone take
  void hold() override { held = true; }
  void release() override { held = false; }
  bool hold_timed_out() override { return timed_out; }
  void flush_cache() override { ++flushes; }
  void record_start() override { queued = kFloor; }
  void record_stop() override { between = queued; }
  Seconds elapsed() override {
    read += between;
    return between;
  }
  void stamp_clock() override {}
  double body_clock_mhz() override { return 1500; }
  double clock_behind_mhz() override { return unsettled-- > 0 && unsettled % 2 == 0 ? 1500 : 1980; }
  void empty_kernel() override {}
  void spin(Seconds length) override { queued += std::max(length, shortest_kernel); }
  bool load(Seconds length) override {
    loaded += length;
    return can_load;
  }
  void wait() override {
    EXPECT_FALSE(held) << "waiting for a stream that is held";
    clock += between + Seconds(1e-4);
  }
  Seconds now() override { return clock; }
  void pause(Seconds length) override {
    paused += length;
    longest_pause = std::max(longest_pause, length);
  }

  bool held = false;
  bool timed_out = false;
  int flushes = 0;
  Seconds queued{0};
  Seconds between{0};
  Seconds read{0};
  Seconds clock{0};
  Seconds paused{0};
  Seconds longest_pause{0};
  Seconds shortest_kernel{0};
  int unsettled = 0;  // samples until the clock stands still
  bool can_load = true;
  Seconds loaded{0};
};

}  // namespace perfgate::testing_support
