#include "perfgate/run/cases/source_diffs.h"

#include <gtest/gtest.h>

#include <fstream>

#include "fixtures/kernels.h"
#include "fixtures/sample_baseline.h"
#include "fixtures/temporary_folder.h"
#include "perfgate/core/files.h"

namespace perfgate {
namespace {

using testing_support::kernel;
using testing_support::kKey;

KernelRecord compiled(const std::string& source) {
  KernelRecord out = kernel("triton_red_mm", 10);
  out.source = source;
  return out;
}

class SourceDiffs : public testing::Test {
 protected:
  SourceDiffs() {
    recorded_.cases[kKey].phases[Phase::kWhole].kernels = {compiled("aa")};
    recorded_.kernel_sources = {{"aa", "def mm():\n    a = 1\n    return a\n"}};
    outcome_.case_key = kKey;
    outcome_.reports.resize(1);
    outcome_.reports[0].phases[Phase::kWhole].trace = std::vector{compiled("bb")};
    outcome_.reports[0].kernel_sources = {{"bb", "def mm():\n    a = 2\n    return a\n"}};
  }
  std::string write() const {
    return write_source_diff(folder_of_sources(folder_ / "a.json"), outcome_, recorded_);
  }

  testing_support::TemporaryFolder folder_;
  Baseline recorded_;
  Outcome outcome_;
};

TEST_F(SourceDiffs, ShowWhatDiffersInAKernelOfAnotherSource) {
  const auto file = write();
  EXPECT_EQ(file, (folder_ / "a.sources" / (std::string(kKey) + ".diff")).string());
  EXPECT_EQ(read_file(file),
            "--- triton_red_mm.aa.py\n+++ triton_red_mm.bb.py\n@@ -1,3 +1,3 @@\n"
            " def mm():\n-    a = 1\n+    a = 2\n     return a\n");
}

TEST_F(SourceDiffs, AreWrittenOnceOfAKernelThatIsLaunchedInSeveralWays) {
  auto again = compiled("aa");
  again.grid = {7, 1, 1};
  recorded_.cases[kKey].phases[Phase::kWhole].kernels.push_back(again);
  auto now = std::vector{compiled("bb"), compiled("bb")};
  now[1].grid = again.grid;
  outcome_.reports[0].phases[Phase::kWhole].trace = now;
  const std::string text = read_file(write());
  EXPECT_EQ(text.find("@@ -1,3"), text.rfind("@@ -1,3"));
}

TEST_F(SourceDiffs, AreNotWrittenWhereNothingDiffersOrATextIsNotKnown) {
  outcome_.reports[0].phases[Phase::kWhole].trace = std::vector{compiled("aa")};
  EXPECT_EQ(write(), "");
  outcome_.reports[0].phases[Phase::kWhole].trace = std::vector{compiled("cc")};
  EXPECT_EQ(write(), "");
  outcome_.reports.clear();
  EXPECT_EQ(write(), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.sources"));
}

TEST_F(SourceDiffs, AreWrittenOfKernelsWhoseNamesAreNoFileNames) {
  const std::string name = "../void mm<float>(" + std::string(300, 'x') + ")";
  recorded_.cases[kKey].phases[Phase::kWhole].kernels[0].name = name;
  auto now = compiled("bb");
  now.name = name;
  outcome_.reports[0].phases[Phase::kWhole].trace = std::vector{now};
  EXPECT_NE(read_file(write()).find("+    a = 2"), std::string::npos);
}

TEST_F(SourceDiffs, SayWhyTheyCouldNotBeWritten) {
  std::ofstream(folder_ / "a.sources") << "a file where the folder goes";
  EXPECT_EQ(write().rfind("no diff: cannot create ", 0), 0U) << write();
}

}  // namespace
}  // namespace perfgate
