#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/fastrnns/lstm.h"
#include "perfgate/workloads/fastrnns/resnet.h"

namespace perfgate {

class Fastrnns : public PerfCase {};
TEST_P(Fastrnns, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(lstm, Fastrnns, testing::ValuesIn(declare(fastrnns::lstm)), case_name);
INSTANTIATE_TEST_SUITE_P(resnet, Fastrnns, testing::ValuesIn(declare(fastrnns::resnet)), case_name);

}  // namespace perfgate
