// A whole bisection by builds that a test directs: what it makes, measures, prints and exits with.

#include "perfgate/run/compare/bisect.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::FakeDevice;

// What is the same of all builds of a test.
struct Shared {
  std::set<std::string> running;  // builds that may have a process
  std::map<std::string, int> launches;
  int most_beside = 0;
};

class Build final : public Launcher {
 public:
  Build(std::string name, double utilisation, WorkerStatus status, Shared& shared)
      : name_(std::move(name)), utilisation_(utilisation), status_(status), shared_(shared) {}
  ~Build() override { shared_.running.erase(name_); }
  WorkerReport launch(const WorkerRequest& request) override {
    shared_.running.insert(name_);
    shared_.most_beside = std::max(shared_.most_beside, static_cast<int>(shared_.running.size()));
    if (request.case_key == kMachineKey) {
      auto out = testing_support::machine();
      out.environment["libtorch"] = "2.13.0";
      return out;
    }
    ++shared_.launches[name_];
    // Of two neighbouring processes the noise differs, so that no pair is exact.
    const double noise = ++launched_ % 2 == 0 ? 1.001 : 0.999;
    auto out = status_ == WorkerStatus::kMeasured ? testing_support::report(utilisation_ * noise)
                                                  : testing_support::failed(status_);
    out.case_key = request.case_key;
    return out;
  }
  void stop_workers() override { shared_.running.erase(name_); }

 private:
  std::string name_;
  double utilisation_;
  WorkerStatus status_;
  Shared& shared_;
  int launched_ = 0;
};

class BisectTest : public testing::Test {
 protected:
  BisectTest() {
    for (int build = 1; build <= 9; ++build) {
      settings_.builds.push_back("c" + std::to_string(build));
    }
    settings_.case_keys = {"a/case"};
    settings_.baselines = std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines";
  }

  void slow_from(int first) {
    for (int build = first; build <= 9; ++build) {
      utilisation_["c" + std::to_string(build)] = 0.4;
    }
  }

  ExitCode bisect() {
    testing::internal::CaptureStdout();
    Options options;
    options.colour = Colour::kNever;
    Console console(options);
    const auto make = [this](const std::string& name) {
      made_.push_back(name);
      if (cannot_be_made_.count(name) > 0) {
        return MadeBuild{nullptr, "", "the compiler fell over"};
      }
      const auto slow = utilisation_.find(name);
      const auto status = status_.find(name);
      return MadeBuild{
          std::make_unique<Build>(
              name, slow == utilisation_.end() ? 0.8 : slow->second,
              status == status_.end() ? WorkerStatus::kMeasured : status->second, shared_),
          "/" + name + "/bin/perfgate", ""};
    };
    const ExitCode out = bisect_builds(
        settings_, {device_, make, console, [](Seconds) {}, [] { return Seconds(0); }});
    printed_ = testing::internal::GetCapturedStdout();
    return out;
  }

  BisectSettings settings_;
  FakeDevice device_;
  Shared shared_;
  std::map<std::string, double> utilisation_;  // of builds that differ from 0.8
  std::map<std::string, WorkerStatus> status_;
  std::set<std::string> cannot_be_made_;
  std::vector<std::string> made_;
  std::string printed_;
};

TEST_F(BisectTest, FindsTheFirstSlowBuildWithoutMakingAll) {
  slow_from(6);
  EXPECT_EQ(bisect(), ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("c6 is the first slow build: on Test CPU it slows a/case"));
  EXPECT_THAT(printed_, HasSubstr("against c5"));
  EXPECT_EQ(made_.size(), 5) << "the ends, and three of halving eight";
}

TEST_F(BisectTest, MakesTheEndsAloneWhereNoBuildIsSlow) {
  EXPECT_EQ(bisect(), ExitCode::kOk);
  EXPECT_THAT(printed_, HasSubstr("None of the 9 builds is slow: from c1 to c9"));
  EXPECT_EQ(made_, (std::vector<std::string>{"c1", "c9"}));
}

TEST_F(BisectTest, NeverMeasuresOneBuildBesideAnother) {
  slow_from(6);
  bisect();
  EXPECT_EQ(shared_.most_beside, 1);
}

TEST_F(BisectTest, PassesOverWhatCannotBeMadeAndSaysWhy) {
  slow_from(3);
  cannot_be_made_ = {"c1", "c5"};
  EXPECT_EQ(bisect(), ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("passed over  c5"));
  EXPECT_THAT(printed_, HasSubstr("the compiler fell over"));
  EXPECT_THAT(printed_, HasSubstr("c3 is the first slow build"));
}

TEST_F(BisectTest, PassesOverABuildWhoseCaseFails) {
  slow_from(3);
  status_["c5"] = WorkerStatus::kError;
  EXPECT_EQ(bisect(), ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("passed over  c5"));
  EXPECT_THAT(printed_, HasSubstr("c3 is the first slow build"));
}

TEST_F(BisectTest, DoesNotDecideBetweenBuildsThatCannotBeMade) {
  slow_from(6);
  cannot_be_made_ = {"c5", "c6"};
  EXPECT_EQ(bisect(), ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("one of c5, c6, c7"));
}

TEST_F(BisectTest, NeedsTwoBuilds) {
  for (const auto& build : settings_.builds) {
    cannot_be_made_.insert(build);
  }
  EXPECT_EQ(bisect(), ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("fewer than two builds"));
}

TEST_F(BisectTest, FollowsOneCaseAndNamesTheOthers) {
  settings_.case_keys = {"a/case", "b/case"};
  slow_from(6);
  EXPECT_EQ(bisect(), ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("also slower, and not followed (--case selects it): "));
  EXPECT_THAT(printed_, HasSubstr("c6 is the first slow build"));
}

TEST_F(BisectTest, MeasuresNothingOnAnUnfitMachine) {
  slow_from(6);
  device_.health_now.why_unfit = "throttled";
  EXPECT_EQ(bisect(), ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("throttled"));
  EXPECT_TRUE(shared_.launches.empty());
}

TEST_F(BisectTest, GivesNoAnswerForAnEndThatFails) {
  slow_from(6);
  status_["c9"] = WorkerStatus::kWrong;
  EXPECT_EQ(bisect(), ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("WRONG   a/case"));
}

TEST_F(BisectTest, EndsAtTheLimitOfPairs) {
  slow_from(6);
  settings_.most_pairs = 5;
  EXPECT_EQ(bisect(), ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("--pairs=N allows more"));
}

TEST_F(BisectTest, IsPartialWhereTheEnvironmentSelected) {
  settings_.selection = "PERFGATE_CASE=a/*";
  EXPECT_EQ(bisect(), ExitCode::kRefused);
}

}  // namespace
}  // namespace perfgate
