#include "perfgate/measure/cpu_clock.h"

#include <sys/resource.h>

#include <ctime>

namespace perfgate {

CpuInstant CpuClock::now() {
  timespec process{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &process);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {wall, Seconds(static_cast<double>(process.tv_sec)) +
                    Seconds(static_cast<double>(process.tv_nsec) * 1e-9)};
}

long CpuClock::voluntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

}  // namespace perfgate
