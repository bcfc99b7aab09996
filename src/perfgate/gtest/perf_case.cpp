#include "perfgate/gtest/perf_case.h"

#include <ostream>

#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/run/gatekeeper.h"

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

class HoldsItsBaseline final : public testing::MatcherInterface<const Outcome&> {
 public:
  HoldsItsBaseline(const Gatekeeper& gatekeeper, bool baseline_required)
      : gatekeeper_(gatekeeper), baseline_required_(baseline_required) {}
  bool MatchAndExplain(const Outcome& outcome,
                       testing::MatchResultListener* listener) const override {
    const bool good = exit_code_of(outcome, baseline_required_) != ExitCode::kFail;
    if (!good) {
      *listener << gatekeeper_.explain(outcome);
    }
    return good;
  }
  void DescribeTo(std::ostream* out) const override { *out << "holds its baseline"; }

 private:
  const Gatekeeper& gatekeeper_;
  bool baseline_required_;
};

}  // namespace

testing::Matcher<const Outcome&> holds_its_baseline(const Gatekeeper& gatekeeper,
                                                    bool baseline_required) {
  return testing::MakeMatcher(new HoldsItsBaseline(gatekeeper, baseline_required));
}

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
  // EXPECT_THAT would put four lines of its own before the explanation.
  testing::StringMatchResultListener why;
  if (!holds_its_baseline(*gatekeeper, baseline_required).MatchAndExplain(outcome, &why)) {
    ADD_FAILURE() << why.str();
  }
  const bool judged = outcome.verdict == Verdict::kPass || outcome.verdict == Verdict::kImproved ||
                      outcome.accepted();
  if (!HasFailure() && !judged) {
    GTEST_SKIP() << gatekeeper->explain(outcome);
  }
}

std::string case_name(const testing::TestParamInfo<CaseParam>& info) {
  return test_name_of(info.param.key);
}

}  // namespace perfgate
