#include "perfgate/gtest/perf_case.h"

#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/run/night/gatekeeper.h"

namespace perfgate {
namespace {

// GoogleTest makes the fixture objects, so what they share cannot arrive by constructor.
struct Shared {
  Gatekeeper* gatekeeper = nullptr;
  bool baseline_required = false;
};

Shared& shared() {
  static Shared the_shared;
  return the_shared;
}

std::string test_name(const testing::TestParamInfo<CaseParam>& test) {
  return test_name_of(test.param.key);
}

}  // namespace

void PerfCase::use(Gatekeeper& gatekeeper, bool baseline_required) {
  shared() = {&gatekeeper, baseline_required};
}

void PerfCase::gate() {
  if (interrupted_by()) {
    GTEST_SKIP() << "interrupted";
  }
  auto& [gatekeeper, baseline_required] = shared();
  const Outcome outcome = gatekeeper->gate(GetParam().key);
  if (interrupted_by()) {
    GTEST_SKIP() << "interrupted";
  }
  if (exit_code_of(outcome, baseline_required) == ExitCode::kFail) {
    ADD_FAILURE() << gatekeeper->explain(outcome);
  }
  const bool judged = passes(outcome.verdict) || outcome.accepted();
  if (!HasFailure() && !judged) {
    GTEST_SKIP() << gatekeeper->explain(outcome);
  }
}

TEST_P(PerfCase, HoldsItsBaseline) { gate(); }
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PerfCase);  // a device may have no case
INSTANTIATE_TEST_SUITE_P(Gate, PerfCase, testing::ValuesIn(declare_cases()), test_name);

}  // namespace perfgate
