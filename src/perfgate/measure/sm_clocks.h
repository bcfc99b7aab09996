#pragma once
// What a multiprocessor's own two clocks say.

#include <cstdint>

namespace perfgate {

/// An SM's two clocks: at one time, or how far they went.
struct alignas(16) SmClocks {
  std::uint64_t cycles;
  std::uint64_t ns;
};

/// The frequency at which they went so far.
inline double mhz(const volatile SmClocks& went) {
  return 1e3 * static_cast<double>(went.cycles) / static_cast<double>(went.ns);
}

}  // namespace perfgate
