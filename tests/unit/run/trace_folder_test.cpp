// Where --profile leaves the Chrome traces, and who is asked to write them.

#include "perfgate/run/cases/trace_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "fixtures/case_run_fixture.h"
#include "fixtures/message_of.h"
#include "perfgate/run/machine/run_folder.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::_;
using testing::HasSubstr;
using testing_support::kKey;
using testing_support::report;

class TraceFolder : public testing_support::CaseRunTest {
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
  ASSERT_EQ(of_first_.size(), 1U);
  const std::string suffix = ".traces/demo/case/eager.json";
  const std::string& file = *of_first_.begin();
  EXPECT_THAT(file, testing::EndsWith(suffix));
  EXPECT_THAT(of_others_, testing::ElementsAre(""));
  const std::string stem = file.substr(0, file.size() - suffix.size());
  EXPECT_TRUE(fs::is_directory(stem + ".traces"));
  EXPECT_TRUE(fs::exists(stem + ".json"));  // the results
}

TEST_F(TraceFolder, IsNotThereWhereNobodyAsksForTraces) {
  look_at_requests();
  gate_once();
  EXPECT_THAT(of_first_, testing::ElementsAre(""));
  for (const auto& entry : fs::directory_iterator(settings_.paths.results)) {
    EXPECT_EQ(entry.path().extension(), ".json");
  }
}

TEST_F(TraceFolder, ThatCannotBeCreatedIsKnownBeforeMeasuring) {
  settings_.write_traces = true;
  fs::create_directories(settings_.paths.results);
  const auto case_run = made();
  std::ofstream(folder_of_traces(case_run->results())) << "a file where the folder should be";
  EXPECT_THROW(case_run->require_writable(), SystemError);
}

TEST_F(TraceFolder, FailsTheRunForATraceThatAWorkerCouldNotWrite) {
  Outcome outcome;
  outcome.case_key = kKey;
  outcome.reports = {report(0.5)};
  EXPECT_NO_THROW(require_traces({outcome}));
  outcome.reports[0].environment[kNoChromeTrace] = "cannot write x\n  mend: free space";
  Outcome another = outcome;
  another.case_key = "demo/another";
  EXPECT_THAT(
      testing_support::message_of<SystemError>([&] {
        require_traces({outcome, another});
      }),
      testing::AllOf(HasSubstr(kKey), HasSubstr("demo/another"), HasSubstr("mend: free space")));
}

TEST_F(TraceFolder, IsNamedWhereThereAreTraces) {
  const auto results = folder_ / "a.json";
  const auto folder = make_trace_folder(results);
  EXPECT_EQ(trace_folder_text(results), "");
  std::ofstream(trace_path(folder, "mm")) << "{}";
  EXPECT_THAT(trace_folder_text(results), HasSubstr((folder_ / "a.traces").string()));
}

TEST_F(TraceFolder, IsNoRunOfItsOwn) {
  fs::create_directories(folder_ / "results/2026-11-24T02-00-00Z-4711");
  fs::create_directories(folder_ / "results/2026-11-25T02-00-00-all-4712.traces");
  EXPECT_EQ(newest_run(folder_ / "results").filename(), "2026-11-24T02-00-00Z-4711");
}

}  // namespace
}  // namespace perfgate
