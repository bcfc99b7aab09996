// How two builds are measured: in which order, until when, and that nothing of one runs beside the
// other.

#include "perfgate/run/compare/paired_run.h"

#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"
#include "perfgate/run/machine/baselines_folder.h"

namespace perfgate {
namespace {

using testing_support::FakeDevice;

// Writes down what is asked of it, and reports what a test says of a case.
class ScriptedLauncher final : public Launcher {
 public:
  ScriptedLauncher(std::string name, std::vector<std::string>& log)
      : name_(std::move(name)), log_(log) {}
  WorkerReport launch(const WorkerRequest& request) override {
    log_.push_back(name_);
    requests.push_back(request);
    ++launches[request.case_key];
    auto out = on_launch(request);
    out.case_key = request.case_key;
    return out;
  }
  void stop_workers() override { log_.push_back("stop " + name_); }

  std::function<WorkerReport(const WorkerRequest&)> on_launch;
  std::vector<WorkerRequest> requests;
  std::map<std::string, int> launches;

 private:
  std::string name_;
  std::vector<std::string>& log_;
};

// Reports these utilisations in turn.
std::function<WorkerReport(const WorkerRequest&)> alternating(double one, double other) {
  return [=, count = 0](const WorkerRequest& /*request*/) mutable {
    return testing_support::report(count++ % 2 == 0 ? one : other);
  };
}

class PairedRunTest : public testing::Test {
 protected:
  PairedRunTest() {
    policy_.classes.at("cpu/memory/long").session = {1e-7, 100};
    before_.on_launch = alternating(0.8004, 0.7996);
    now_.on_launch = alternating(0.7996, 0.8004);
  }

  PairedRun& run(const std::vector<std::string>& keys = {"a"}) {
    run_.emplace(PairedTools{before_, now_, device_, policy_,
                             [this](const std::string& why) { waits_.push_back(why); },
                             [this](const PairedReports& reports, int /*number*/, int /*total*/) {
                               rounds_.push_back(reports.case_key);
                             }},
                 settings_);
    run_->compare(keys);
    return *run_;
  }

  // What was launched, without the stops.
  [[nodiscard]] std::string order() const {
    std::string out;
    for (const auto& entry : log_) {
      out += entry.size() == 1 ? entry : "";
    }
    return out;
  }

  std::vector<std::string> log_;
  ScriptedLauncher before_{"A", log_};
  ScriptedLauncher now_{"B", log_};
  FakeDevice device_;
  Policy policy_ = load_policy(std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines");
  PairedSettings settings_{16, 0, {}};
  std::vector<std::string> waits_;
  std::vector<std::string> rounds_;
  std::optional<PairedRun> run_;
};

TEST_F(PairedRunTest, AlternatesSoThatADriftSlowsBothAlike) {
  const auto& outcome = run().outcomes().front();
  EXPECT_EQ(order(), "ABBAABBA");
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
}

TEST_F(PairedRunTest, StopsTheProcessesOfOneBuildBeforeTheOtherMeasures) {
  run();
  std::string running;
  for (const auto& entry : log_) {
    if (entry.size() == 1) {
      EXPECT_TRUE(running.empty() || running == entry) << entry << " beside " << running;
      running = entry;
    } else if (entry == "stop " + running) {
      running.clear();
    }
  }
  EXPECT_EQ(running, "") << "left on the device";
}

TEST_F(PairedRunTest, TellsALargeSlowdownFromFourPairs) {
  now_.on_launch = alternating(0.4, 0.401);
  EXPECT_EQ(run().outcomes().front().verdict, Verdict::kRegressed);
  EXPECT_EQ(before_.launches["a"], 4);
}

TEST_F(PairedRunTest, GivesMorePairsToWhatIsUndecidedAlone) {
  const auto quiet = alternating(0.7996, 0.8004);
  const auto noisy = alternating(0.70, 0.88);
  now_.on_launch = [=](const WorkerRequest& request) mutable {
    return request.case_key == "noisy" ? noisy(request) : quiet(request);
  };
  run({"quiet", "noisy"});
  EXPECT_EQ(now_.launches["quiet"], 4);
  EXPECT_EQ(now_.launches["noisy"], 16);
  EXPECT_EQ(rounds_, (std::vector<std::string>{"quiet", "noisy", "noisy", "noisy"}));
}

TEST_F(PairedRunTest, EndsAtTheLimitThatIsAskedFor) {
  settings_.most_pairs = 6;
  now_.on_launch = alternating(0.70, 0.88);
  run();
  EXPECT_EQ(now_.launches["a"], 6);
}

TEST_F(PairedRunTest, ChecksNumbersOnceABuildAndInjectsInTheNewerAlone) {
  settings_.inject_slowdown = 5;
  run();
  for (const auto* launcher : {&before_, &now_}) {
    for (std::size_t i = 0; i < launcher->requests.size(); ++i) {
      EXPECT_EQ(launcher->requests[i].check, i == 0);
      EXPECT_EQ(launcher->requests[i].inject_slowdown, launcher == &now_ ? 5 : 0);
    }
  }
}

TEST_F(PairedRunTest, MeasuresNoFurtherWhatFails) {
  now_.on_launch = [](const WorkerRequest& /*request*/) {
    return testing_support::failed(WorkerStatus::kWrong);
  };
  EXPECT_EQ(run().outcomes().front().verdict, Verdict::kWrong);
  EXPECT_EQ(order(), "AB");
}

TEST_F(PairedRunTest, CallsABuildThatCannotBeStartedAnError) {
  now_.on_launch = [](const WorkerRequest& /*request*/) -> WorkerReport {
    throw SystemError("cannot start it", "");
  };
  const auto& outcome = run().outcomes().front();
  EXPECT_EQ(outcome.verdict, Verdict::kError);
  EXPECT_EQ(outcome.message, "cannot start it");
}

TEST_F(PairedRunTest, TakesAPairAgainThatWasMeasuredOnAnUnfitDevice) {
  before_.on_launch = [this](const WorkerRequest& /*request*/) {
    return before_.requests.size() == 1 ? testing_support::report_beside_somebody_else()
                                        : testing_support::report(0.8);
  };
  EXPECT_EQ(run().outcomes().front().verdict, Verdict::kPass);
  EXPECT_EQ(waits_, std::vector<std::string>{"another process uses the device"});
  EXPECT_EQ(order(), "ABABBAABBA");
}

TEST_F(PairedRunTest, GivesUpOnADeviceThatStaysUnfit) {
  before_.on_launch = [](const WorkerRequest& /*request*/) {
    return testing_support::report_beside_somebody_else();
  };
  EXPECT_EQ(run().outcomes().front().verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(before_.launches["a"], policy_.attempts);
}

TEST_F(PairedRunTest, BelievesNoChangeWhileSomebodyElseIsOnTheDevice) {
  now_.on_launch = alternating(0.4, 0.401);
  device_.on_looking_for_others = [this] { device_.health_now.why_unfit = "somebody else"; };
  const auto& outcome = run().outcomes().front();
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_NE(outcome.message.find("somebody else"), std::string::npos);
}

// Two searches that ended otherwise would be compared.
TEST_F(PairedRunTest, TellsTheNewerBuildWhatTheOlderOneSearchedFor) {
  const auto searching = [](const WorkerRequest& request) {
    auto out = testing_support::report(0.8);
    out.tuning = request.tuning.empty() ? Tuning{{"algorithm", "7"}} : request.tuning;
    return out;
  };
  before_.on_launch = searching;
  now_.on_launch = searching;
  run();
  EXPECT_EQ(before_.launches["a"], 5) << "the process that searched does not count";
  EXPECT_EQ(now_.launches["a"], 4);
  EXPECT_EQ(now_.requests.front().tuning.at("algorithm"), "7");
}

}  // namespace
}  // namespace perfgate
