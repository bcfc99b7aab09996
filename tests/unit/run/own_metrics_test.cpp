// A case's own metrics on their way: recorded, judged by their direction, and told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/gatekeeper_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;

class OwnMetrics : public testing_support::GatekeeperTest {
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
