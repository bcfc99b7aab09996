#include "perfgate/measure/cpu_clock.h"

#include <sys/resource.h>

#include <ctime>

namespace perfgate {

CpuInstant CpuClock::now() {
  timespec thread{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &thread);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {wall, Seconds(static_cast<double>(thread.tv_sec)) +
                    Seconds(static_cast<double>(thread.tv_nsec) * 1e-9)};
}

long CpuClock::voluntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

}  // namespace perfgate
