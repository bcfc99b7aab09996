#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/gpt_fast/layer_norm.h"

namespace perfgate {

class GptFastLayerNorm : public PerfCase {};
TEST_P(GptFastLayerNorm, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(gpt_fast, GptFastLayerNorm,
                         testing::ValuesIn(declare(gpt_fast::layer_norm)), case_name);

}  // namespace perfgate
