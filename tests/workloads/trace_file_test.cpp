// The Chrome trace that a worker writes where its parent asks for one.

#include "perfgate/worker/trace_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "fixtures/kernels.h"
#include "fixtures/temporary_folder.h"
#include "one_run.h"
#include "perfgate/core/files.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing_support::backend;
using testing_support::case_right_for;
using testing_support::kernel;
using testing_support::OneRun;

class TraceFile : public testing::Test {
 protected:
  TraceFile() {
    Activity activity;
    activity.kernel = kernel("mm", 1);
    activity.end_ns = 1000;
    OneRun::execution = {activity};
    OneRun::trace = std::vector<KernelRecord>{activity.kernel};
    request_.chrome_trace = file_.string();
  }
  ~TraceFile() override {
    OneRun::execution.clear();
    OneRun::trace.reset();
  }
  WorkerReport run() { return run_worker(item_, backend(), request_, folder_.path()); }

  testing_support::TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "traces" / "demo" / "case.json";
  WorkerRequest request_;
  Case item_ = case_right_for(2);
};

TEST_F(TraceFile, HasWhatTheCaseRanAsItsCompilerDescribesIt) {
  std::ofstream(folder_.path() / "a_package.kernels.json")
      << R"({"model": {"mm": {"configuration": "XBLOCK 2", "version": "aa", "kernel": "aa.py"}}})";
  item_.package = Package{"a_package", "gpt_fast/gemv.py", {}};
  const auto report = run();
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  EXPECT_EQ(report.environment.count(kNoChromeTrace), 0U);
  const auto events = json::parse(read_file(file_)).at("traceEvents");
  EXPECT_EQ(events.at(0).at("args").at("name"), "demo/case");
  EXPECT_EQ(events.at(1).at("name"), "mm");
  EXPECT_EQ(events.at(1).at("dur"), 1.0);
  EXPECT_EQ(events.at(1).at("args").at("configuration"), "XBLOCK 2");
}

TEST_F(TraceFile, IsWrittenByAWorkerThatIsAskedForItAndChecks) {
  request_.check = false;
  run();
  request_ = {};
  run();
  EXPECT_FALSE(fs::exists(folder_.path() / "traces"));
}

TEST_F(TraceFile, IsNotWrittenWhereNothingWasTraced) {
  OneRun::execution.clear();
  EXPECT_EQ(run().environment.count(kNoChromeTrace), 0U);
  EXPECT_FALSE(fs::exists(folder_.path() / "traces"));
}

TEST_F(TraceFile, ThatCannotBeWrittenIsReportedBesideTheMeasurement) {
  std::ofstream(folder_.path() / "traces") << "a file where the folder should be";
  const auto report = run();
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  EXPECT_EQ(report.metrics.count(kTime), 1U);
  const std::string why = report.environment.at(kNoChromeTrace);
  EXPECT_NE(why.find((folder_.path() / "traces").string()), std::string::npos) << why;
  EXPECT_NE(why.find("mend: "), std::string::npos) << why;
}

}  // namespace
}  // namespace perfgate
