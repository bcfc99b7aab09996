#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/fastrnns/lstm.h"
#include "perfgate/workloads/fastrnns/lstm_dropout.h"
#include "perfgate/workloads/fastrnns/lstm_layer_norm.h"
#include "perfgate/workloads/fastrnns/lstm_variable.h"
#include "perfgate/workloads/fastrnns/resnet.h"

namespace perfgate {

class Fastrnns : public PerfCase {};
TEST_P(Fastrnns, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(lstm, Fastrnns, testing::ValuesIn(declare(fastrnns::lstm)), case_name);
INSTANTIATE_TEST_SUITE_P(lstm_dropout, Fastrnns, testing::ValuesIn(declare(fastrnns::lstm_dropout)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(lstm_layer_norm, Fastrnns,
                         testing::ValuesIn(declare(fastrnns::lstm_layer_norm)), case_name);
INSTANTIATE_TEST_SUITE_P(lstm_variable, Fastrnns,
                         testing::ValuesIn(declare(fastrnns::lstm_variable)), case_name);
INSTANTIATE_TEST_SUITE_P(resnet, Fastrnns, testing::ValuesIn(declare(fastrnns::resnet)), case_name);

}  // namespace perfgate
