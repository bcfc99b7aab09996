#include "perfgate/baseline/record.h"

#include <gmock/gmock.h>

#include "fixtures/sample_baseline.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing_support::kKey;
using testing_support::measured;
using testing_support::record_session;
using testing_support::session_on;

// A case with a revision, and a session that changed from it.
class TwoRunsAtOnce : public testing::Test {
 protected:
  TwoRunsAtOnce() {
    first_ = record_session(baseline_, session_on("u1"), {measured(kKey, {81})});
    changed_.judged_against = first_;
    changed_.changed = true;
    changed_.reason = "LibTorch 2.14";
  }
  [[nodiscard]] const std::vector<Revision>& revisions() const {
    return baseline_.cases.at(kKey).revisions;
  }

  Baseline baseline_;
  std::string first_;
  CaseSession changed_ = measured(kKey, {77});
};

TEST_F(TwoRunsAtOnce, ShareAnRevisionOfTheSameChange) {
  const std::string on_u1 = record_session(baseline_, session_on("u1"), {changed_});
  const std::string on_u2 = record_session(baseline_, session_on("u2"), {changed_});
  ASSERT_EQ(revisions().size(), 2U);
  EXPECT_THAT(revisions().back().reference, ElementsAre(on_u1, on_u2));
}

TEST_F(TwoRunsAtOnce, ShareItWhereTheOldMeasurementsHadAnotherProtocol) {
  changed_.phases.at(Phase::kWhole).protocol["samples"] = std::int64_t{60};
  record_session(baseline_, session_on("u1"), {changed_});
  record_session(baseline_, session_on("u2"), {changed_});
  ASSERT_EQ(revisions().size(), 1U);
  EXPECT_EQ(revisions().back().reference.size(), 2U);
}

TEST_F(TwoRunsAtOnce, KeepChangesForOtherReasonsApart) {
  record_session(baseline_, session_on("u1"), {changed_});
  changed_.reason = "another change";
  record_session(baseline_, session_on("u2"), {changed_});
  EXPECT_EQ(revisions().size(), 3U);
}

TEST_F(TwoRunsAtOnce, KeepOneThatDidNotChangeWithWhatItWasJudgedAgainst) {
  record_session(baseline_, session_on("u1"), {changed_});
  CaseSession same = measured(kKey, {81});
  same.judged_against = first_;
  const std::string id = record_session(baseline_, session_on("u2"), {same});
  ASSERT_EQ(revisions().size(), 2U);
  EXPECT_THAT(revisions().front().reference, ElementsAre(first_, id));
}

TEST_F(TwoRunsAtOnce, AreNotWhatAChangeFromTheNewRevisionIs) {
  const std::string begun = record_session(baseline_, session_on("u1"), {changed_});
  changed_.judged_against = begun;  // and so seen, whatever its reason
  record_session(baseline_, session_on("u1"), {changed_});
  EXPECT_EQ(revisions().size(), 3U);
}

}  // namespace
}  // namespace perfgate
