#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/sparse/products.h"

namespace perfgate {

class Sparse : public PerfCase {};
TEST_P(Sparse, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(tensor, Sparse, testing::ValuesIn(declare(sparse::tensor)), case_name);
INSTANTIATE_TEST_SUITE_P(linear, Sparse, testing::ValuesIn(declare(sparse::linear)), case_name);
INSTANTIATE_TEST_SUITE_P(host_time, Sparse, testing::ValuesIn(declare(sparse::host_time)),
                         case_name);

}  // namespace perfgate
