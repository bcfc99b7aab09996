// A case's own metrics on their way: recorded, judged by their direction, and told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fixtures/case_run_fixture.h"
#include "perfgate/report/results_json.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;

class OwnMetrics : public testing_support::CaseRunTest {
 protected:
  static WorkerReport accepting(double tokens) {
    WorkerReport out = report(0.5);
    out.metrics[{Phase::kWhole, Quantity::kOwn,
                 own_quantity("accepted", Unit::kCount, Better::kHigher)}] = {tokens, true,
                                                                              "cpu/own"};
    return out;
  }
  Outcome gated(double tokens) {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(accepting(tokens)));
    return gate_once();
  }
};

TEST_F(OwnMetrics, FailTheCaseWhereTheyGetWorse) {
  record(3, accepting(4));
  EXPECT_EQ(gated(4).verdict, Verdict::kPass);
  EXPECT_EQ(gated(2).verdict, Verdict::kRegressed);
  EXPECT_THAT(outcome_text_, HasSubstr("worse by"));
  EXPECT_THAT(outcome_text_, HasSubstr("accepted[1,higher] 2.00, was 4.00"));
}

TEST_F(OwnMetrics, AreNoFailureWhereTheyGetBetter) {
  record(3, accepting(4));
  EXPECT_EQ(gated(8).verdict, Verdict::kImproved);
}

// Results and history are read back, so nothing in them is infinite.
TEST_F(OwnMetrics, ThatChangeBeyondMeasureCostNoNight) {
  record(3, accepting(1e6));
  for (const auto& [tokens, expected] : {std::pair(1e-320, Verdict::kError),
                                         {1e-12, Verdict::kRegressed},
                                         {1e15, Verdict::kImproved},
                                         {1e308, Verdict::kError}}) {
    const Verdict verdict = gated(tokens).verdict;
    EXPECT_EQ(verdict, expected) << tokens;
    auto case_run = started();  // of the next night, which reads what this one wrote
    EXPECT_EQ(case_run->gate(kKey).verdict, verdict);
    case_run->finish();
    testing::internal::GetCapturedStdout();
  }
  for (const auto& file : std::filesystem::directory_iterator(settings_.paths.results)) {
    const auto document = parse_strict(read_file(file.path()), "results");
    const auto run = run_from_json(JsonCursor(document, "results"));
    EXPECT_LE(run.outcomes.size(), 1U);
  }
}

TEST_F(OwnMetrics, ThatAreNoNumberAreAnErrorOfTheirCase) {
  record(3, accepting(4));
  for (const double tokens : {std::nan(""), HUGE_VAL, 0.0}) {
    EXPECT_EQ(gated(tokens).verdict, Verdict::kError) << tokens;
    EXPECT_EQ(exit_code_, ExitCode::kFail);
    EXPECT_THAT(outcome_text_, HasSubstr("accepted[1,higher]")) << tokens;
  }
  EXPECT_EQ(gated(4).verdict, Verdict::kPass);
}

TEST_F(OwnMetrics, ThatAreNoLongerMeasuredAreSeen) {
  record(3, accepting(4));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kLost);
}

TEST_F(OwnMetrics, OfACaseThatWasRecordedBeforeAreSaidNotToBeJudgedAndJoinByTheNextRefresh) {
  record(3, report(0.5));
  const Outcome before = gated(4);
  EXPECT_EQ(before.verdict, Verdict::kPass);
  ASSERT_EQ(before.not_judged.size(), 1U);
  EXPECT_EQ(text_of(before.not_judged.begin()->first), "accepted[1,higher]");
  record(1, accepting(4));
  EXPECT_EQ(gated(4).verdict, Verdict::kPass);
  EXPECT_EQ(gated(1).verdict, Verdict::kRegressed);
}

}  // namespace
}  // namespace perfgate
