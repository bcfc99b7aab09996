#pragma once
// Two clocks that disagree when somebody else ran on our core: the wall's and our process's own.
// What a body's other threads take of the core is the body's doing and no disagreement. They also
// disagree when the thread itself waited, for a lock, a disk or another thread: then it gave its
// core up of its own will, which the system counts.

#include "perfgate/core/units.h"

namespace perfgate {

struct CpuInstant {
  Seconds wall{0};
  Seconds process{0};  ///< CPU time of all threads together
};

class CpuClock {
 public:
  virtual ~CpuClock() = default;
  /// steady_clock and CLOCK_PROCESS_CPUTIME_ID, each since an epoch of its own.
  virtual CpuInstant now();
  /// How often this thread has given its core up of its own will (getrusage: ru_nvcsw). Being
  /// preempted does not count.
  virtual long voluntary_switches();
};

}  // namespace perfgate
