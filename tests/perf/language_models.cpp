#include "perfgate/gtest/perf_case.h"
#include "perfgate/workloads/language_models/language_model.h"

namespace perfgate {

class LanguageModels : public PerfCase {};
TEST_P(LanguageModels, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(generate, LanguageModels,
                         testing::ValuesIn(declare(language_models::generate)), case_name);

}  // namespace perfgate
