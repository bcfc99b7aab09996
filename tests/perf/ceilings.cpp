#include "perfgate/workloads/ceilings/ceilings.h"

#include "perfgate/gtest/perf_case.h"

namespace perfgate {

class Ceilings : public PerfCase {};
TEST_P(Ceilings, HoldsItsBaseline) { gate(); }
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Ceilings);  // of GPUs alone
INSTANTIATE_TEST_SUITE_P(gpu, Ceilings, testing::ValuesIn(declare(ceilings::all)), case_name);

}  // namespace perfgate
