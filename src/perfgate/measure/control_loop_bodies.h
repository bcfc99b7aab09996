#pragma once
// The loops of the CPU's controls, for vectors of any width. Each instruction set compiles them in
// a file of its own, with its own flags (see CMakeLists.txt): clang refuses vectors of one in
// functions of another, inlined or not. Includes nothing: what those flags compile of a header that
// others include as well might be what the linker keeps, for a processor that has not the
// instructions.

#include "perfgate/measure/control_loops.h"

namespace perfgate {

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
float fma_chains(long iterations) {
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
void triad_loop(float* out, const float* a, const float* b, std::size_t count) {
  using Chunk = Vector<lanes>;
  for (std::size_t i = 0; i < count; i += lanes) {
    *reinterpret_cast<Chunk*>(out + i) =
        *reinterpret_cast<const Chunk*>(a + i) + 3.0F * *reinterpret_cast<const Chunk*>(b + i);
  }
}

template <int lanes>
constexpr ControlLoops kLoops = {lanes, kChains, fma_chains<lanes>, triad_loop<lanes>};

}  // namespace perfgate
