// A whole comparison by launchers that a test directs: what it exits with and what it prints.

#include "perfgate/run/compare/against.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::FakeDevice;

// One of the two builds: its cases' utilisation, or what it says instead.
class Build final : public Launcher {
 public:
  WorkerReport launch(const WorkerRequest& request) override {
    if (request.case_key == kMachineKey) {
      auto out = testing_support::machine();
      out.environment["libtorch"] = libtorch;
      out.environment["onednn"] = "3.8";
      out.status = machine_status;
      out.message = machine_message;
      return out;
    }
    const auto found = instead.find(request.case_key);
    auto out = found != instead.end() ? testing_support::failed(found->second)
                                      : testing_support::report(utilisation_of(request.case_key));
    out.case_key = request.case_key;
    if (found == instead.end()) {
      out.phases[Phase::kWhole].trace = std::vector<KernelRecord>{{kernel, 1, 100}};
      out.metrics[kTime] = {800 / out.metrics.at(kUtilisation).value, false, "cpu/memory/long"};
    }
    return out;
  }

  std::map<std::string, double> utilisation;  ///< of cases that differ from 0.8
  std::map<std::string, WorkerStatus> instead;
  std::string libtorch = "2.13.0";
  std::string kernel = "sgemm";
  WorkerStatus machine_status = WorkerStatus::kMeasured;
  std::string machine_message;

 private:
  double utilisation_of(const std::string& key) {
    const auto found = utilisation.find(key);
    const double noise = ++launches_ % 2 == 0 ? 1.0005 : 0.9995;
    return noise * (found == utilisation.end() ? 0.8 : found->second);
  }
  int launches_ = 0;
};

class AgainstTest : public testing::Test {
 protected:
  AgainstTest() {
    before_.libtorch = "2.12.0";
    settings_.case_keys = {"a/slower", "a/faster", "a/same"};
    settings_.baselines = std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines";
    settings_.before = "/older/bin/perfgate";
    settings_.now = "/newer/bin/perfgate";
  }

  ExitCode compare() {
    testing::internal::CaptureStdout();
    Options options;
    options.colour = Colour::kNever;
    Console console(options);
    try {
      const ExitCode out = compare_builds(
          settings_, {device_, before_, now_, console, [](Seconds) {}, [] { return Seconds(0); }});
      printed_ = testing::internal::GetCapturedStdout();
      return out;
    } catch (...) {
      printed_ = testing::internal::GetCapturedStdout();
      throw;
    }
  }

  Build before_;
  Build now_;
  FakeDevice device_;
  AgainstSettings settings_;
  std::string printed_;
};

TEST_F(AgainstTest, PassesEqualBuilds) {
  EXPECT_EQ(compare(), ExitCode::kOk);
  EXPECT_THAT(printed_, HasSubstr("Compared with LibTorch 2.12.0, LibTorch 2.13.0 is on Test CPU "
                                  "slower in 0 of 3 cases, faster in 0 and unchanged in 3 ("));
  EXPECT_THAT(printed_, HasSubstr("LibTorch 2.12.0 -> 2.13.0"));
}

TEST_F(AgainstTest, FailsASlowerCaseAndSortsByChange) {
  now_.utilisation = {{"a/slower", 0.4}, {"a/faster", 1.6}};
  now_.kernel = "sgemm_naive";
  EXPECT_EQ(compare(), ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("the slowest is a/slower, +100 % slower"));
  EXPECT_THAT(printed_, HasSubstr("the fastest is a/faster, -50.0 % faster"));
  EXPECT_THAT(printed_, HasSubstr("sgemm_naive"));
  EXPECT_LT(printed_.find("REGRESSED"), printed_.find("IMPROVED"));
}

TEST_F(AgainstTest, PassesAFasterBuild) {
  now_.utilisation = {{"a/faster", 1.6}};
  EXPECT_EQ(compare(), ExitCode::kOk);
}

TEST_F(AgainstTest, FailsWhatFailsNowAlone) {
  now_.instead["a/same"] = WorkerStatus::kError;
  EXPECT_EQ(compare(), ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("ERROR   a/same"));
  EXPECT_THAT(printed_, HasSubstr("failing in 1"));
}

TEST_F(AgainstTest, ShowsWhatTheOlderBuildCannotRunAsNew) {
  before_.instead["a/same"] = WorkerStatus::kUnsupported;
  EXPECT_EQ(compare(), ExitCode::kOk);
  EXPECT_THAT(printed_, HasSubstr("NEW   a/same"));
}

TEST_F(AgainstTest, NeverExitsByZeroWithoutAJudgement) {
  for (const char* key : {"a/slower", "a/faster", "a/same"}) {
    before_.instead[key] = WorkerStatus::kUnsupported;
  }
  EXPECT_EQ(compare(), ExitCode::kSkipped);
  for (const char* key : {"a/slower", "a/faster", "a/same"}) {
    before_.instead[key] = WorkerStatus::kError;
    now_.instead[key] = WorkerStatus::kError;
  }
  EXPECT_EQ(compare(), ExitCode::kRefused);
}

TEST_F(AgainstTest, MeasuresNothingOnAnUnfitMachine) {
  device_.health_now.why_unfit = "throttled";
  EXPECT_EQ(compare(), ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("INVALID: the device is not fit: throttled"));
}

TEST_F(AgainstTest, SaysClearlyThatTheOtherBuildHasAnotherInterface) {
  before_.machine_status = WorkerStatus::kError;
  before_.machine_message = "at \"/interface\": 2, and this perfgate has interface 3";
  try {
    compare();
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/older/bin/perfgate: at \"/interface\": 2"));
  }
}

TEST_F(AgainstTest, IsPartialWhereTheEnvironmentSelected) {
  settings_.selection = "PERFGATE_CASE=a/*";
  EXPECT_EQ(compare(), ExitCode::kRefused);
}

TEST_F(AgainstTest, NamesTheVariablesOfTheOlderBuild) {
  settings_.variables_before = {{"ONEDNN_MAX_CPU_ISA", "SSE41"}};
  compare();
  EXPECT_THAT(printed_, HasSubstr("ONEDNN_MAX_CPU_ISA SSE41 -> unset"));
}

}  // namespace
}  // namespace perfgate
