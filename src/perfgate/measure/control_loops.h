#pragma once
// The loops of the CPU's controls, compiled for each instruction set.

#include <cstddef>

namespace perfgate {

struct ControlLoops {
  int lanes;   ///< floats in a vector
  int chains;  ///< of multiply-adds that do not wait for each other
  /// `iterations` of a multiply-add in each lane of each chain.
  float (*fma)(long iterations);
  /// out = a + 3 b, of `count` floats, a multiple of the lanes.
  void (*triad)(float* out, const float* a, const float* b, std::size_t count);
};

/// For any processor of the architecture.
const ControlLoops& base_control_loops();

#if defined(__x86_64__)
/// For one that has AVX2 and FMA.
const ControlLoops& avx2_control_loops();
/// For one that has AVX-512F.
const ControlLoops& avx512_control_loops();
#endif

}  // namespace perfgate
