#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/gpt_fast/gemv.h"

namespace perfgate {

class GptFastGemv : public PerfCase {};
TEST_P(GptFastGemv, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(gpt_fast, GptFastGemv, testing::ValuesIn(declare(gpt_fast::gemv)),
                         case_name);

}  // namespace perfgate
