// Where --profile leaves the Chrome traces, and who is asked to write them.

#include "perfgate/run/trace_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "fixtures/gatekeeper_fixture.h"
#include "fixtures/message_of.h"
#include "perfgate/run/run_folder.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::_;
using testing::HasSubstr;
using testing_support::kKey;
using testing_support::report;

class TraceFolder : public testing_support::GatekeeperTest {
 protected:
  // What each worker was asked for: of those that check, and of the others.
  void look_at_requests() {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([this] {
      const auto& request = launcher_.last_request;
      (request.check ? of_first_ : of_others_).insert(request.chrome_trace);
      return report(0.5);
    });
  }

  std::set<std::string> of_first_;
  std::set<std::string> of_others_;
};

TEST_F(TraceFolder, IsBesideTheResultsAndWrittenByTheFirstWorkerOfASession) {
  look_at_requests();
  settings_.refresh.wanted = true;
  settings_.write_traces = true;
  gate_once();
  const auto folder = fs::absolute(settings_.paths.results) / "traces";
  EXPECT_THAT(of_first_, testing::ElementsAre((folder / "demo/case/eager.json").string()));
  EXPECT_THAT(of_others_, testing::ElementsAre(""));
  EXPECT_TRUE(fs::is_directory(folder));
}

TEST_F(TraceFolder, IsNotThereWhereNobodyAsksForTraces) {
  look_at_requests();
  gate_once();
  EXPECT_THAT(of_first_, testing::ElementsAre(""));
  EXPECT_FALSE(fs::exists(settings_.paths.results / "traces"));
}

TEST_F(TraceFolder, ThatCannotBeCreatedIsKnownBeforeMeasuring) {
  settings_.write_traces = true;
  fs::create_directories(settings_.paths.results);
  std::ofstream(settings_.paths.results / "traces") << "a file where the folder should be";
  EXPECT_THROW(made()->require_writable(), SystemError);
}

TEST_F(TraceFolder, FailsTheRunForATraceThatAWorkerCouldNotWrite) {
  Outcome outcome;
  outcome.case_key = kKey;
  outcome.reports = {report(0.5)};
  EXPECT_NO_THROW(require_traces({outcome}));
  outcome.reports[0].environment[kNoChromeTrace] = "cannot write x\n  mend: free space";
  EXPECT_THAT(testing_support::message_of<SystemError>([&] { require_traces({outcome}); }),
              testing::AllOf(HasSubstr(kKey), HasSubstr("mend: free space")));
}

TEST_F(TraceFolder, IsNoRunOfItsOwn) {
  fs::create_directories(folder_ / "results/2026-11-24T02-00-00Z-4711");
  fs::create_directories(folder_ / "results/traces");
  EXPECT_EQ(newest_run(folder_ / "results").filename(), "2026-11-24T02-00-00Z-4711");
}

}  // namespace
}  // namespace perfgate
