// A worker on the CPU has one core while it measures, and all of them when it checks.

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

#include "perfgate/backends/backend.h"

namespace perfgate {
namespace {

int cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  return CPU_COUNT(&allowed);
}

// In a process of its own, which may then keep its memory settings to itself.
TEST(CpuBackendDeathTest, PinsAWorkerOnlyWhileItMeasures) {
  const auto go_through = [] {
    const Backend backend = make_cpu_backend();
    const int before = cores();
    backend.prepare_worker();
    const int measuring = cores();
    backend.end_measuring();
    std::exit(measuring == 1 && cores() == before ? 0 : 1);
  };
  EXPECT_EXIT(go_through(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace perfgate
