#pragma once
// Two clocks that disagree when somebody else ran on our core: the wall's and the thread's own.

#include "perfgate/core/units.h"

namespace perfgate {

struct CpuInstant {
  Seconds wall{0};
  Seconds thread{0};
};

class CpuClock {
 public:
  virtual ~CpuClock() = default;
  /// steady_clock and CLOCK_THREAD_CPUTIME_ID, each since an epoch of its own.
  virtual CpuInstant now();
};

}  // namespace perfgate
