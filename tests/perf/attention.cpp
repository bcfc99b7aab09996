#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/attention/mha.h"

namespace perfgate {

class Attention : public PerfCase {};
TEST_P(Attention, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(mha, Attention,
                         testing::ValuesIn(declare(attention::mha, attention::custom_mha)),
                         case_name);

}  // namespace perfgate
