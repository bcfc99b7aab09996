#pragma once
// Controls: what this core can do right now. A shared machine drifts by several percent, alike for
// everything; dividing by a control measured in the same breath takes the drift out. Kernels of our
// own, never LibTorch operators, or a regression of the library would cancel itself. Changing one
// makes old measurements incomparable: raise its version, which is part of the protocol.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/model/ceiling.h"

namespace perfgate {

class CpuControl {
 public:
  virtual ~CpuControl() = default;
  /// Does `shares` of the control's unit of work; more than one runs it several times.
  virtual void run(double shares) = 0;
  /// Work of one unit, counted by the bound: bytes or operations.
  [[nodiscard]] virtual double work() const = 0;
  /// Memory to flush before each run, like a body's operands.
  [[nodiscard]] virtual std::vector<std::span<const std::byte>> operands() const = 0;
  /// Name with version, for the protocol: "fma-1".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Its rate among the ceilings.
  [[nodiscard]] virtual Ceiling ceiling() const = 0;
};

/// Independent fused multiply-adds in the widest vectors, about 1 ms.
std::unique_ptr<CpuControl> make_fma_control();

/// a[i] = b[i] + s * c[i] over three arrays of 8 MiB in huge pages, cold: 24 MiB moved, plus the
/// write-allocation that stores cost anyway.
std::unique_ptr<CpuControl> make_triad_control();

std::unique_ptr<CpuControl> make_control(Bound bound);

}  // namespace perfgate
