// What becomes of a recorded session, by what the judge said and what was asked for.

#include "perfgate/run/refresh/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::baseline_of;
using testing_support::kKey;
using testing_support::kMetric;

class Entries : public testing::Test {
 protected:
  Entries() {
    outcome_.case_key = kKey;
    outcome_.device_id = "A";
    WorkerReport report;
    report.case_key = kKey;
    report.status = WorkerStatus::kMeasured;
    report.metrics[kMetric] = {100, true, testing_support::judged_metric().variance_class};
    report.phases[Phase::kWhole] = {};
    outcome_.reports.assign(5, report);
    tonight_ = baseline_.sessions.begin()->second;
  }

  Entry entry(Verdict verdict, const Refresh& wanted = {true, "", {}}) {
    outcome_.verdict = verdict;
    return entry_of(outcome_, baseline_, tonight_, {wanted, policy_});
  }

  const Refresh with_reason_{true, "LibTorch 2.14", {}};
  const Refresh by_name_{true, "", {{kKey, "another kernel"}}};
  const Policy policy_ = testing_support::policy_with({1e-6, 100}, {1e-6, 100});
  Baseline baseline_ = baseline_of({{"A", {100, 100, 100}}});
  SessionRecord tonight_;
  Outcome outcome_;
};

TEST_F(Entries, AreSessionsOfWhatDidNotChange) {
  for (const Verdict verdict : {Verdict::kPass, Verdict::kBlind}) {
    const auto found = entry(verdict);
    EXPECT_EQ(found.as, Recorded::kSession) << name_of(verdict) << ": " << found.message;
    EXPECT_FALSE(found.session.changed);
    EXPECT_EQ(found.session.judged_against,
              baseline_.cases.at(kKey).revisions.back().reference.front());
    EXPECT_EQ(found.session.metrics.at(kMetric).measurements.size(), 5U);
  }
}

TEST_F(Entries, AreTheFirstOfACaseThatIsNotThere) {
  baseline_.cases.clear();
  const auto found = entry(Verdict::kNoBaseline);
  EXPECT_EQ(found.as, Recorded::kFirst) << found.message;
  EXPECT_EQ(found.session.reason, "first");
  EXPECT_EQ(found.session.judged_against, "");
}

TEST_F(Entries, OfWhatGotSlowerAreRefusedUnlessTheCaseIsNamed) {
  for (const auto& wanted : {Refresh{true, "", {}}, with_reason_}) {
    const auto found = entry(Verdict::kRegressed, wanted);
    EXPECT_EQ(found.as, Recorded::kRefused);
    EXPECT_THAT(found.message, HasSubstr("--accept='" + std::string(kKey) + ":why'"));
  }
  const auto found = entry(Verdict::kRegressed, by_name_);
  EXPECT_EQ(found.as, Recorded::kRevision) << found.message;
  EXPECT_TRUE(found.session.changed);
  EXPECT_EQ(found.session.reason, "another kernel");
}

TEST_F(Entries, OfWhatGotFasterNeedAReason) {
  EXPECT_THAT(entry(Verdict::kImproved).message, HasSubstr("say why with --reason"));
  EXPECT_EQ(entry(Verdict::kImproved).as, Recorded::kRefused);
  EXPECT_EQ(entry(Verdict::kImproved, with_reason_).as, Recorded::kRevision);
  EXPECT_EQ(entry(Verdict::kImproved, by_name_).as, Recorded::kRevision);
}

TEST_F(Entries, BeginARevisionOfWhatIsNamedThoughNothingChanged) {
  EXPECT_EQ(entry(Verdict::kPass, by_name_).as, Recorded::kRevision);
  EXPECT_EQ(entry(Verdict::kPass, with_reason_).as, Recorded::kSession);
}

TEST_F(Entries, OfAnotherTuningBeginARevisionThatNeedsAReason) {
  for (auto& report : outcome_.reports) {
    report.tuning = {{"algorithm", "37"}};
  }
  EXPECT_EQ(entry(Verdict::kPass).as, Recorded::kRefused);
  const auto found = entry(Verdict::kPass, with_reason_);
  EXPECT_EQ(found.as, Recorded::kRevision);
  EXPECT_THAT(found.message, StartsWith("tuned anew: "));
}

TEST_F(Entries, AreNoneOfWhatCannotRunHere) {
  EXPECT_EQ(entry(Verdict::kUnsupported, by_name_).as, Recorded::kNot);
}

TEST_F(Entries, AreRefusedWhereTheMeasurementSaysNothingOfTheCase) {
  outcome_.message = "the reason of the judge";
  for (const Verdict verdict : {Verdict::kUnsteady, Verdict::kWrong, Verdict::kLost,
                                Verdict::kMachineInvalid, Verdict::kError}) {
    const auto found = entry(verdict, by_name_);
    EXPECT_EQ(found.as, Recorded::kRefused) << name_of(verdict);
    EXPECT_EQ(found.message, "the reason of the judge");
    EXPECT_TRUE(found.session.metrics.empty());
  }
}

TEST_F(Entries, AreRefusedOfWhatWasKilledSinceItTookTooLong) {
  outcome_.reports.back().status = WorkerStatus::kError;
  EXPECT_EQ(entry(Verdict::kRegressed, by_name_).as, Recorded::kRefused);
}

// A new device is compared with others: what is new of the build would be taken in with it.
TEST_F(Entries, AreRefusedOfANewDeviceWithANewBuild) {
  tonight_.device_id = "Z";
  EXPECT_EQ(entry(Verdict::kPass).as, Recorded::kSession) << "the baseline's build";
  tonight_.libtorch = "2.99.0";
  const auto found = entry(Verdict::kPass);
  EXPECT_EQ(found.as, Recorded::kRefused);
  EXPECT_THAT(found.message, HasSubstr("this device is new to the baseline"));
  EXPECT_EQ(entry(Verdict::kPass, by_name_).as, Recorded::kRevision);
}

}  // namespace
}  // namespace perfgate
