#pragma once
// Clocks that disagree when somebody else ran on our core: the wall's, and our own CPU time. What a
// body's other threads take of the core is the body's doing and no disagreement, so the CPU time is
// the process's; but where a limit on CPU time or a profiler is set, Linux tells that in whole
// ticks only, so the thread's is read as well. They also disagree when the thread itself waited,
// for a lock, a disk or another thread: then it gave its core up of its own will, which the system
// counts.

#include "perfgate/core/units.h"

namespace perfgate {

struct CpuInstant {
  Seconds wall{0};
  Seconds thread{0};   ///< CPU time of this thread
  Seconds process{0};  ///< CPU time of all threads together
};

class CpuClock {
 public:
  virtual ~CpuClock() = default;
  /// Right before what is timed, and right behind it: steady_clock, CLOCK_THREAD_CPUTIME_ID and
  /// CLOCK_PROCESS_CPUTIME_ID, each since an epoch of its own. What is timed has one reading of
  /// the thread's clock in it, and none of the process's.
  virtual CpuInstant before();
  virtual CpuInstant behind();
  /// How often this thread has given its core up of its own will (getrusage: ru_nvcsw). Being
  /// preempted does not count.
  virtual long voluntary_switches();
};

}  // namespace perfgate
