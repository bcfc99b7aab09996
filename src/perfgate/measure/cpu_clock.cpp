#include "perfgate/measure/cpu_clock.h"

#include <ctime>

namespace perfgate {

CpuInstant CpuClock::now() {
  timespec thread{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &thread);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {wall, Seconds(static_cast<double>(thread.tv_sec)) +
                    Seconds(static_cast<double>(thread.tv_nsec) * 1e-9)};
}

}  // namespace perfgate
