#include "perfgate/measure/cpu_control.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "perfgate/measure/control_loops.h"

namespace perfgate {
namespace {

const ControlLoops& loops() {
  static const ControlLoops& chosen = []() -> const ControlLoops& {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
      return avx512_control_loops();
    }
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
      return avx2_control_loops();
    }
#endif
    return base_control_loops();
  }();
  return chosen;
}

class FmaControl final : public CpuControl {
 public:
  void run(double shares) override { sink_ = loops().fma(std::lround(shares * kIterations)); }
  [[nodiscard]] double work() const override {
    return 2.0 * loops().chains * loops().lanes * kIterations;
  }
  [[nodiscard]] std::vector<std::span<const std::byte>> operands() const override { return {}; }
  [[nodiscard]] std::string name() const override { return "fma-1"; }
  [[nodiscard]] Ceiling ceiling() const override { return {"fma", Unit::kGflopPerS}; }

 private:
  static constexpr long kIterations = 400'000;
  volatile float sink_ = 0;
};

// Huge pages: with small ones the placement of pages in the cache, new in every process, moves the
// measurement by several percent.
class HugeArray {
 public:
  explicit HugeArray(std::size_t count)
      : bytes_(count * sizeof(float)),
        data_(static_cast<float*>(std::aligned_alloc(std::size_t{2} << 20, bytes_))) {
    if (data_ == nullptr) {
      throw std::bad_alloc();
    }
    madvise(data_, bytes_, MADV_HUGEPAGE);  // advice: where it is not taken, small pages serve
    std::fill_n(data_, count, 1.0F);
  }
  ~HugeArray() { std::free(data_); }
  HugeArray(const HugeArray&) = delete;
  HugeArray& operator=(const HugeArray&) = delete;
  [[nodiscard]] float* data() const { return data_; }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(data_, bytes_ / sizeof(float)));
  }

 private:
  std::size_t bytes_;
  float* data_;
};

class TriadControl final : public CpuControl {
 public:
  void run(double shares) override {
    while (shares > 0) {
      const auto part = static_cast<std::size_t>(std::min(1.0, shares) * kCount / 16) * 16;
      loops().triad(out_.data(), a_.data(), b_.data(), part);
      shares -= 1;
    }
  }
  [[nodiscard]] double work() const override { return 3.0 * kCount * sizeof(float); }
  [[nodiscard]] std::vector<std::span<const std::byte>> operands() const override {
    return {out_.bytes(), a_.bytes(), b_.bytes()};
  }
  [[nodiscard]] std::string name() const override { return "triad-1"; }
  [[nodiscard]] Ceiling ceiling() const override { return {"triad", Unit::kGbPerS}; }

 private:
  static constexpr std::size_t kCount = (std::size_t{8} << 20) / sizeof(float);
  HugeArray out_{kCount};
  HugeArray a_{kCount};
  HugeArray b_{kCount};
};

}  // namespace

std::unique_ptr<CpuControl> make_fma_control() { return std::make_unique<FmaControl>(); }

std::unique_ptr<CpuControl> make_triad_control() { return std::make_unique<TriadControl>(); }

std::unique_ptr<CpuControl> make_control(Bound bound) {
  return bound == Bound::kMemory ? make_triad_control() : make_fma_control();
}

}  // namespace perfgate
