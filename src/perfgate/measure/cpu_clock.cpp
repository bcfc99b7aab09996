#include "perfgate/measure/cpu_clock.h"

#include <sys/resource.h>

#include <ctime>

namespace perfgate {
namespace {

Seconds read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return Seconds(static_cast<double>(time.tv_sec)) +
         Seconds(static_cast<double>(time.tv_nsec) * 1e-9);
}

}  // namespace

CpuInstant CpuClock::before() {
  CpuInstant out;
  out.process = read(CLOCK_PROCESS_CPUTIME_ID);
  out.thread = read(CLOCK_THREAD_CPUTIME_ID);
  out.wall = std::chrono::steady_clock::now().time_since_epoch();
  return out;
}

CpuInstant CpuClock::behind() {
  CpuInstant out;
  out.thread = read(CLOCK_THREAD_CPUTIME_ID);
  out.wall = std::chrono::steady_clock::now().time_since_epoch();
  out.process = read(CLOCK_PROCESS_CPUTIME_ID);
  return out;
}

long CpuClock::voluntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

}  // namespace perfgate
