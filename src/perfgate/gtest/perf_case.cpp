#include "perfgate/gtest/perf_case.h"

#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/run/cases/case_run.h"

namespace perfgate {
namespace {

// GoogleTest makes the fixture objects, so what they share cannot arrive by constructor.
struct Shared {
  CaseRun* run = nullptr;
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

void PerfCase::use(CaseRun& run, bool baseline_required) { shared() = {&run, baseline_required}; }

void PerfCase::gate() {
  if (interrupted_by()) {
    GTEST_SKIP() << "interrupted";
  }
  auto& [run, baseline_required] = shared();
  const Outcome outcome = run->gate(GetParam().key);
  if (interrupted_by()) {
    GTEST_SKIP() << "interrupted";
  }
  if (exit_code_of(outcome, baseline_required) == ExitCode::kFail) {
    ADD_FAILURE() << run->explain(outcome);
  }
  const bool judged = passes(outcome.verdict) || outcome.accepted();
  if (!HasFailure() && !judged) {
    GTEST_SKIP() << run->explain(outcome);
  }
}

TEST_P(PerfCase, HoldsItsBaseline) { gate(); }
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PerfCase);  // a device may have no case
INSTANTIATE_TEST_SUITE_P(Gate, PerfCase, testing::ValuesIn(declare_cases()), test_name);

}  // namespace perfgate
