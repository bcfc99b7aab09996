// --profile on a real case of this machine's CPU: its text, and the Chrome trace beside the
// results.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gate_run.h"
#include "perfgate/core/files.h"

namespace perfgate::selftest {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kCase = "ops/mm/fp32/N512/eager";

class Profile : public testing::Test {
 protected:
  void run(const std::vector<std::string>& flags) {
    std::vector<std::string> all = {"--device=cpu", std::string("--case=") + kCase};
    all.insert(all.end(), flags.begin(), flags.end());
    folder_.run(all);
    if (folder_.outcome(kCase).verdict == Verdict::kMachineInvalid) {
      GTEST_SKIP() << "this machine is too busy to measure on it\n" << folder_.printed();
    }
  }
  // Where the run left its traces; empty where it left none.
  [[nodiscard]] fs::path traces() const {
    for (const auto& entry : fs::directory_iterator(folder_.results_folder())) {
      if (entry.path().extension() == ".traces") {
        return entry.path();
      }
    }
    return {};
  }

  GateFolder folder_{PERFGATE_GATE};
};

TEST_F(Profile, LeavesAChromeTraceBesideTheResultsAndSaysWhere) {
  run({"--profile"});
  if (IsSkipped()) {
    return;
  }
  EXPECT_NE(
      folder_.printed().find("Chrome traces, for https://ui.perfetto.dev: " + traces().string()),
      std::string::npos)
      << folder_.printed();
  const auto document = json::parse(read_file(traces() / (std::string(kCase) + ".json")));
  bool is_there = false;
  for (const auto& event : document.at("traceEvents")) {
    is_there = is_there || (event.at("ph") == "X" && event.at("name") == "aten::mm" &&
                            event.at("dur").get<double>() > 0);
  }
  EXPECT_TRUE(is_there) << document.dump(1);
  const auto results = "--results=" + folder_.results_folder().string();
  folder_.run({"--merge", results});
  EXPECT_NE(folder_.printed().find(" of 1 case"), std::string::npos) << folder_.printed();
}

TEST_F(Profile, IsNothingThatARunWithoutTheFlagWrites) {
  run({});
  if (IsSkipped()) {
    return;
  }
  EXPECT_EQ(traces(), fs::path());
  EXPECT_EQ(folder_.printed().find("Chrome traces"), std::string::npos) << folder_.printed();
}

}  // namespace
}  // namespace perfgate::selftest
