#include "perfgate/measure/cpu_control.h"

#include <gtest/gtest.h>

#include <cstring>

#include "perfgate/measure/cache_flush.h"

namespace perfgate {
namespace {

TEST(CpuControl, IsChosenByTheBound) {
  EXPECT_EQ(make_control(Bound::kMemory)->ceiling(), (Ceiling{"triad", Unit::kGbPerS}));
  EXPECT_EQ(make_control(Bound::kCompute)->ceiling(), (Ceiling{"fma", Unit::kGflopPerS}));
}

TEST(CpuControl, TheTriadWritesTheSumItIsNamedAfter) {
  const auto control = make_triad_control();
  const auto out = control->operands().front();
  const auto element = [&out](std::size_t i) {
    float value = 0;
    std::memcpy(&value, out.data() + i * sizeof(float), sizeof value);
    return value;
  };
  EXPECT_FLOAT_EQ(element(0), 1);
  control->run(0.5);
  const std::size_t count = out.size() / sizeof(float);
  EXPECT_FLOAT_EQ(element(0), 4);              // 1 + 3 * 1
  EXPECT_FLOAT_EQ(element(count / 2 - 1), 4);  // half a share does half the work,
  EXPECT_FLOAT_EQ(element(count / 2), 1);      // and no more
}

TEST(CpuControl, DeclaresTheMemoryItsWorkCounts) {
  const auto control = make_triad_control();
  double bytes = 0;
  for (const auto& region : control->operands()) {
    bytes += static_cast<double>(region.size());
  }
  EXPECT_DOUBLE_EQ(control->work(), bytes);
}

TEST(CacheFlush, LeavesTheMemoryAsItWas) {
  std::vector<std::byte> memory(10'001, std::byte{7});
  const std::span<const std::byte> odd(memory.data() + 3, memory.size() - 3);
  LineFlush lines;
  lines.flush(std::vector{odd});
  EvictingFlush evicting(1 << 20);
  evicting.flush(std::vector{odd});
  EXPECT_EQ(memory, std::vector<std::byte>(10'001, std::byte{7}));
  EXPECT_NE(lines.name(), evicting.name());
}

}  // namespace
}  // namespace perfgate
