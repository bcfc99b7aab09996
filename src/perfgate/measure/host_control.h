#pragma once
// What the host can do right now: the control for what it takes to queue a body (cpu_control.h says
// what controls are for). Others on the same processor slow a host's code by a half and more, and
// hosts of the same GPU differ. A stand-in for an operator is code such as queueing one takes, and
// the launch of a kernel that does nothing. Ours alone, or a regression of LibTorch would cancel
// itself.

#include "perfgate/core/units.h"
#include "perfgate/measure/gpu.h"
#include "perfgate/measure/host_code.h"

namespace perfgate {

class HostControl {
 public:
  /// With its version, for the protocol. Changing the stand-in makes old measurements incomparable.
  static constexpr const char* kName = "host-1";

  /// Borrows `gpu`.
  explicit HostControl(Gpu& gpu) : gpu_(gpu) {}

  /// What the host takes for one stand-in, mean of 150: 7 us on a Xeon of 2024. The GPU is idle
  /// when it returns. Throws SystemError where the GPU refuses.
  Seconds measure();

 private:
  Gpu& gpu_;
  HostCode code_;
};

}  // namespace perfgate
