#pragma once
// A tracer that loses or refuses what a test says.

#include <cstdint>
#include <string>
#include <vector>

#include "perfgate/measure/gpu.h"
#include "perfgate/measure/kernel_trace.h"

namespace perfgate::testing_support {

/// Records one kernel of 80 us a body, between the sampler's own.
class FakeTracer final : public KernelTracer {
 public:
  void start() override {
    running = true;
    refuse("start");
  }
  std::vector<Activity> collect() override {
    refuse("collect");
    ++collected;
    if (lost) {
      return {};
    }
    return {activity(kKernelBeforeBody, 0, 50'000), activity("work", 60'000, 140'000),
            activity(kKernelAfterBody, 150'000, 170'000)};
  }
  void stop() noexcept override { running = false; }
  bool running = false;
  int collected = 0;
  bool lost = false;
  std::string refused;

 private:
  void refuse(const std::string& call) const {
    if (call == refused) {
      throw TraceError(call + ": another profiler", "end it");
    }
  }
  static Activity activity(const std::string& name, std::int64_t start_ns, std::int64_t end_ns) {
    Activity out;
    out.kernel.name = name;
    out.kernel.count = 1;
    out.start_ns = start_ns;
    out.end_ns = end_ns;
    return out;
  }
};

}  // namespace perfgate::testing_support
