#pragma once
// What the host can do right now: the control for what it takes to queue a body (cpu_control.h says
// what controls are for). Others on the same processor slow a host's code by a half and more, and
// hosts of the same GPU differ. A stand-in for an operator does what queueing one does: it finds
// names in a table, makes and frees small objects, calls through a table of functions, and launches
// a kernel that does nothing. Code of our own, or a regression of LibTorch would cancel itself.

#include <memory>

#include "perfgate/core/units.h"
#include "perfgate/measure/gpu.h"

namespace perfgate {

class HostControl {
 public:
  /// With its version, for the protocol. Changing the stand-in makes old measurements incomparable.
  static constexpr const char* kName = "host-1";

  /// Borrows `gpu`.
  explicit HostControl(Gpu& gpu);
  ~HostControl();
  HostControl(const HostControl&) = delete;
  HostControl& operator=(const HostControl&) = delete;

  /// What the host takes for one stand-in, mean of 150: 7 us on the quiet host of an H100. The GPU
  /// is idle when it returns. Throws SystemError where the GPU refuses.
  Seconds measure();

 private:
  class Operators;

  Gpu& gpu_;
  std::unique_ptr<Operators> operators_;
};

}  // namespace perfgate
