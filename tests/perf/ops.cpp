#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/ops/operators.h"

namespace perfgate {

class Ops : public PerfCase {};
TEST_P(Ops, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(mm, Ops, testing::ValuesIn(declare(ops::mm)), case_name);
INSTANTIATE_TEST_SUITE_P(sdpa, Ops, testing::ValuesIn(declare(ops::sdpa)), case_name);
INSTANTIATE_TEST_SUITE_P(layer_norm, Ops, testing::ValuesIn(declare(ops::layer_norm)), case_name);
INSTANTIATE_TEST_SUITE_P(gemv, Ops, testing::ValuesIn(declare(ops::gemv)), case_name);
INSTANTIATE_TEST_SUITE_P(copy, Ops, testing::ValuesIn(declare(ops::copy)), case_name);
INSTANTIATE_TEST_SUITE_P(lstm, Ops, testing::ValuesIn(declare(ops::lstm)), case_name);

}  // namespace perfgate
