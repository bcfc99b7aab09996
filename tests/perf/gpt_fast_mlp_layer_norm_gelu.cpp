#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/gpt_fast/mlp_layer_norm_gelu.h"

namespace perfgate {

class GptFastMlp : public PerfCase {};
TEST_P(GptFastMlp, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(gpt_fast, GptFastMlp,
                         testing::ValuesIn(declare(gpt_fast::mlp_layer_norm_gelu)), case_name);

}  // namespace perfgate
