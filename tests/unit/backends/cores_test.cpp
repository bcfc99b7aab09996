// Where a thread may run.

#include "perfgate/backends/cores.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(OneCoreForAWhile, KeepsThisThreadToItsCoreAndReleasesItToWhereItCouldRun) {
  const cpu_set_t before = allowed_cores();
  if (CPU_COUNT(&before) < 2) {
    GTEST_SKIP() << "this process may use one core only";
  }
  const OneCore one_core = one_core_for_a_while();
  for (int times = 0; times < 2; ++times) {
    one_core.keep();
    const cpu_set_t kept = allowed_cores();
    EXPECT_EQ(CPU_COUNT(&kept), 1);
    EXPECT_TRUE(CPU_ISSET(sched_getcpu(), &kept));
    one_core.release();
    const cpu_set_t after = allowed_cores();
    EXPECT_TRUE(CPU_EQUAL(&after, &before));
  }
}

}  // namespace
}  // namespace perfgate
