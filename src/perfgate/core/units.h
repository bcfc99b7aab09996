#pragma once
// Units in types: a duration, a byte count and an operation count cannot be mixed up, and every
// rate is made here. Prevents the classic error of benchmark code: seconds under a "ms" label.

#include <chrono>

#include "perfgate/core/enum_names.h"

namespace perfgate {

/// What a number is in.
enum class Unit {
  kMicroseconds,
  kCycles,
  kRatio,  ///< achieved over possible; people read percent
  kCount,
  kGbPerS,
  kGflopPerS,
  kGopPerS,
  kTokensPerS,
  kBytes,
  kControls,  ///< times of a control
};
template <>
inline constexpr EnumNames<Unit, 10> kNames<Unit> = {{{Unit::kMicroseconds, "us"},
                                                      {Unit::kCycles, "cycles"},
                                                      {Unit::kRatio, "ratio"},
                                                      {Unit::kCount, "1"},
                                                      {Unit::kGbPerS, "GB/s"},
                                                      {Unit::kGflopPerS, "GFLOP/s"},
                                                      {Unit::kGopPerS, "GOP/s"},
                                                      {Unit::kTokensPerS, "tokens/s"},
                                                      {Unit::kBytes, "B"},
                                                      {Unit::kControls, "x control"}}};

using Seconds = std::chrono::duration<double>;
using Microseconds = std::chrono::duration<double, std::micro>;

/// A number of bytes; a double because rates are what it is for.
struct Bytes {
  double count = 0;
};

/// A number of floating-point (or integer multiply-add) operations; a multiply-add counts two.
struct Operations {
  double count = 0;
};

/// GB/s with GB = 1e9 bytes.
constexpr double gb_per_s(Bytes bytes, Seconds elapsed) {
  return bytes.count / elapsed.count() / 1e9;
}

/// GFLOP/s with G = 1e9.
constexpr double gflop_per_s(Operations operations, Seconds elapsed) {
  return operations.count / elapsed.count() / 1e9;
}

/// Which ceiling a case runs into.
enum class Bound { kMemory, kCompute };
template <>
inline constexpr EnumNames<Bound, 2> kNames<Bound> = {
    {{Bound::kMemory, "memory"}, {Bound::kCompute, "compute"}}};

/// What must move and what must be done, declared by a case in closed form.
struct Traffic {
  Bytes bytes;
  Operations operations;
  Bound bound = Bound::kMemory;
  bool integer = false;  ///< of the operations: their rate is in OP/s, not in FLOP/s
  double tokens =
      0;  ///< that a language model makes; where there are any, theirs is the rate shown
};

}  // namespace perfgate
