#include "perfgate/run/machine/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fixtures/case_run_fixture.h"
#include "fixtures/message_of.h"
#include "perfgate/core/errors.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/host.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;

TEST(Suite, NamesTheCommandThatMakesItsPackages) {
  Suite suite;
  suite.build = "/a build";
  suite.packages_target = "demo_packages";
  suite.python = "/usr/bin/python3";
  EXPECT_EQ(make_packages_command(suite), "cmake --build '/a build' --target demo_packages");
  suite.python.clear();
  EXPECT_THAT(make_packages_command(suite), HasSubstr("configure with -DPERFGATE_PYTHON=..."));
}

TEST(Suite, RefusesACaseThatNoTestOfCTestWouldGate) {
  Suite suite;
  EXPECT_NO_THROW(require_gated(suite, "anything"));  // nobody has said
  suite.name = "demo";
  suite.families = {"scale", "swish"};
  EXPECT_NO_THROW(require_gated(suite, "swish"));
  const std::string refusal = testing_support::message_of([&] { require_gated(suite, "saxpy"); });
  EXPECT_THAT(refusal, HasSubstr("gates the family \"saxpy\""));
  EXPECT_THAT(refusal, HasSubstr("FAMILIES of perfgate_add_gate(demo"));
}

TEST(Suite, SaysWhatOfItABuildLeavesOut) {
  Suite suite;
  EXPECT_EQ(left_out_text(suite), "");
  EXPECT_NO_THROW(require_built(suite, "sparse"));
  suite.left_out = {"attention", "sparse"};
  suite.build = "/a build";
  EXPECT_EQ(left_out_text(suite), "  left out of this build, and not gated: attention, sparse\n");
  EXPECT_NO_THROW(require_built(suite, "ops"));
  EXPECT_NO_THROW(require_built(suite, ""));
  const std::string refusal = testing_support::message_of([&] { require_built(suite, "sparse"); });
  EXPECT_THAT(refusal, HasSubstr("leaves out the family \"sparse\""));
  EXPECT_THAT(refusal, HasSubstr("cmake -DPERFGATE_FAMILIES=all '/a build'"));
}

class SuiteOfSomebody : public testing_support::CaseRunTest {
 protected:
  SuiteOfSomebody() {
    settings_.suite.name = "demo";
    settings_.suite.commit = "0123456789ab";
    settings_.paths.baselines = folder_ / "project/baselines";
    settings_.suite.baselines = settings_.paths.baselines;
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  }
};

TEST_F(SuiteOfSomebody, NeedNotHaveAFolderOfBaselinesBeforeItRecordsOne) {
  EXPECT_EQ(gate_once().verdict, Verdict::kNoBaseline);
  EXPECT_FALSE(std::filesystem::exists(settings_.paths.baselines));
  settings_.refresh.wanted = true;
  EXPECT_TRUE(gate_once().accepted());
  EXPECT_TRUE(std::filesystem::exists(baseline_folder()));
  settings_.refresh.wanted = false;
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_THAT(printed_, testing::Not(HasSubstr("LOCAL")));
}

TEST_F(SuiteOfSomebody, IsRefusedAnotherFolderThatIsNotThere) {
  settings_.paths.baselines = folder_ / "misspelt";
  EXPECT_THROW(made(), UsageError);
  settings_.refresh.wanted = true;
  settings_.paths.baselines = folder_ / "misspelt" / "baselines";
  EXPECT_THROW(made(), UsageError) << "a folder that is there is named wrongly";
}

TEST_F(SuiteOfSomebody, RecordsInANewFolderThatIsNamed) {
  settings_.refresh.wanted = true;
  settings_.paths.baselines = folder_ / "quiet_machine";
  EXPECT_TRUE(gate_once().accepted());
  EXPECT_TRUE(std::filesystem::exists(settings_.paths.baselines / "Test_CPU" / "device.json"));
}

TEST_F(SuiteOfSomebody, NamesItsOwnCommitUnderChangedAndPerfgateBesideIt) {
  settings_.refresh.wanted = true;
  gate_once();
  settings_.refresh.wanted = false;
  const auto sessions = load_baseline(baseline_folder())->sessions;
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(sessions.begin()->second.commit, "0123456789ab");
  EXPECT_EQ(sessions.begin()->second.settings.at("perfgate"), perfgate_version());
  settings_.suite.commit = "ba9876543210";
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.2)));
  EXPECT_EQ(gate_once().verdict, Verdict::kRegressed);
  EXPECT_THAT(outcome_text_, HasSubstr("commit 0123456789ab -> ba9876543210"));
}

// A machine that others use, whose second session is far from the first.
class NoisySessions : public SuiteOfSomebody {
 protected:
  NoisySessions() { settings_.suite.workloads = {{"demo", "1a2b3c4d5e6f"}}; }
  Outcome recorded_at(double utilisation) {
    settings_.refresh.wanted = true;
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(utilisation)));
    return gate_once();
  }
};

TEST_F(NoisySessions, OfTheSameBuildTellHowNoisyItIs) {
  recorded_at(0.5);
  settings_.refresh.reason = "first sessions";
  const auto second = recorded_at(0.4);
  EXPECT_EQ(second.recorded, Recorded::kSession);
  EXPECT_EQ(second.message, "the same build on the same device: taken for noise");
  EXPECT_EQ(recorded_at(0.6).recorded, Recorded::kSession) << "within the noise, as it is now";
  const auto baseline = load_baseline(baseline_folder());
  EXPECT_EQ(baseline->cases.at(kKey).revisions.size(), 1U);
  EXPECT_EQ(baseline->cases.at(kKey).revisions[0].reference.size(), 3U);
  settings_.refresh.wanted = false;
  const auto outcome = gate_once();
  EXPECT_GT(outcome.deciding()->mde, 0.3);
  EXPECT_NE(outcome.verdict, Verdict::kImproved);
}

TEST_F(NoisySessions, AreRefusedWhereSomethingElseMayHaveChanged) {
  recorded_at(0.5);
  const auto settings = settings_.suite;
  settings_.suite.commit = "ba9876543210";
  EXPECT_EQ(recorded_at(0.4).recorded, Recorded::kRefused);
  settings_.suite = settings;
  settings_.suite.workloads["demo"] = "f6e5d4c3b2a1";
  EXPECT_EQ(recorded_at(0.4).recorded, Recorded::kRefused);
}

TEST_F(NoisySessions, AreRefusedOfABuildThatNoCommitNames) {
  settings_.suite.commit = "0123456789ab-dirty";
  recorded_at(0.5);
  EXPECT_EQ(recorded_at(0.4).recorded, Recorded::kRefused);
}

TEST_F(NoisySessions, AreRefusedWhereTheDeviceIsKnown) {
  for (int i = 0; i < 3; ++i) {
    recorded_at(0.5);
  }
  EXPECT_EQ(recorded_at(0.4).recorded, Recorded::kRefused);
}

TEST_F(SuiteOfSomebody, IsJudgedByPerfgatesPolicyWhereItHasNone) {
  EXPECT_EQ(
      load_policy(folder_ / "nothing").false_alarms_a_night,
      load_policy(std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines").false_alarms_a_night);
}

}  // namespace
}  // namespace perfgate
