// Built with -O3 -ffp-contract=fast whatever the build type (see CMakeLists.txt): a control that
// changed with the build would move every baseline.

#include "perfgate/measure/cpu_control.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

namespace perfgate {
namespace {

template <int lanes>
using Vector [[gnu::vector_size(lanes * sizeof(float))]] = float;

#if defined(__aarch64__)
#define PERFGATE_VECTOR_REGISTER "+w"
#else
#define PERFGATE_VECTOR_REGISTER "+v"
#endif
#define PERFGATE_KEEP_IN_REGISTERS(a, b, c, d, e, f)                           \
  __asm__ volatile(""                                                          \
                   : PERFGATE_VECTOR_REGISTER(a), PERFGATE_VECTOR_REGISTER(b), \
                     PERFGATE_VECTOR_REGISTER(c), PERFGATE_VECTOR_REGISTER(d), \
                     PERFGATE_VECTOR_REGISTER(e), PERFGATE_VECTOR_REGISTER(f))

constexpr int kChains = 12;  // hide the latency of any current FMA unit: 4 cycles, 2 a cycle

// Named variables, not an array: GCC keeps an array that an asm statement touches in memory, and
// the loop would time stores.
template <int lanes>
[[gnu::always_inline]] inline float fma_chains(long iterations) {
  using Chunk = Vector<lanes>;
  const Chunk factor = Chunk{} + 0.999F;
  const Chunk term = Chunk{} + 0.001F;
  Chunk a = factor, b = factor, c = factor, d = factor, e = factor, f = factor;
  Chunk g = factor, h = factor, i = factor, j = factor, k = factor, l = factor;
  const auto step = [&factor, &term ](auto&... chains) __attribute__((always_inline)) {
    ((chains = chains * factor + term), ...);
  };
  for (long n = 0; n < iterations; ++n) {
    step(a, b, c, d, e, f, g, h, i, j, k, l);
    PERFGATE_KEEP_IN_REGISTERS(a, b, c, d, e, f);  // not folded across iterations
    PERFGATE_KEEP_IN_REGISTERS(g, h, i, j, k, l);
  }
  const Chunk sum = a + b + c + d + e + f + g + h + i + j + k + l;
  return sum[0];
}

template <int lanes>
[[gnu::always_inline]] inline void triad_loop(float* out, const float* a, const float* b,
                                              std::size_t count) {
  using Chunk = Vector<lanes>;
  for (std::size_t i = 0; i < count; i += lanes) {
    *reinterpret_cast<Chunk*>(out + i) =
        *reinterpret_cast<const Chunk*>(a + i) + 3.0F * *reinterpret_cast<const Chunk*>(b + i);
  }
}

// One instance of both loops an instruction set.
struct Kernels {
  int lanes;
  float (*fma)(long);
  void (*triad)(float*, const float*, const float*, std::size_t);
};

#if defined(__x86_64__)
[[gnu::target("avx512f")]] float fma_avx512(long n) { return fma_chains<16>(n); }
[[gnu::target("avx512f")]] void triad_avx512(float* out, const float* a, const float* b,
                                             std::size_t n) {
  triad_loop<16>(out, a, b, n);
}
[[gnu::target("avx2,fma")]] float fma_avx2(long n) { return fma_chains<8>(n); }
[[gnu::target("avx2,fma")]] void triad_avx2(float* out, const float* a, const float* b,
                                            std::size_t n) {
  triad_loop<8>(out, a, b, n);
}
#endif
float fma_base(long n) { return fma_chains<4>(n); }
void triad_base(float* out, const float* a, const float* b, std::size_t n) {
  triad_loop<4>(out, a, b, n);
}

const Kernels& kernels() {
  static const Kernels chosen = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
      return Kernels{16, fma_avx512, triad_avx512};
    }
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
      return Kernels{8, fma_avx2, triad_avx2};
    }
#endif
    return Kernels{4, fma_base, triad_base};
  }();
  return chosen;
}

class FmaControl final : public CpuControl {
 public:
  void run(double shares) override { sink_ = kernels().fma(std::lround(shares * kIterations)); }
  [[nodiscard]] double work() const override {
    return 2.0 * kChains * kernels().lanes * kIterations;
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
      kernels().triad(out_.data(), a_.data(), b_.data(), part);
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
