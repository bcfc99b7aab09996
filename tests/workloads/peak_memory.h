#pragma once
// How much LibTorch's CPU allocator holds at most, to compare declared footprints with.

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace perfgate::testing_support {

/// While alive, follows what this thread allocates and frees.
class PeakMemory {
 public:
  /// Bytes; what was allocated before does not count.
  [[nodiscard]] double bytes() const { return static_cast<double>(counter_->peak); }

 private:
  struct Counter final : public c10::MemoryReportingInfoBase {
    void reportMemoryUsage(void* /*pointer*/, std::int64_t change, std::size_t /*allocated*/,
                           std::size_t /*reserved*/, c10::Device /*device*/) override {
      allocated += change;
      peak = std::max(peak, allocated);
    }
    [[nodiscard]] bool memoryProfilingEnabled() const override { return true; }
    std::int64_t allocated = 0;
    std::int64_t peak = 0;
  };
  std::shared_ptr<Counter> counter_ = std::make_shared<Counter>();
  c10::DebugInfoGuard guard_{c10::DebugInfoKind::PROFILER_STATE, counter_};
};

}  // namespace perfgate::testing_support
