#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/gpt_fast/gather_gemv.h"

namespace perfgate {

class GptFastGatherGemv : public PerfCase {};
TEST_P(GptFastGatherGemv, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(gpt_fast, GptFastGatherGemv,
                         testing::ValuesIn(declare(gpt_fast::gather_gemv)), case_name);

}  // namespace perfgate
