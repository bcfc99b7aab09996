#include "perfgate/workloads/package_kernels.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fixtures/kernels.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing_support::kernel;

class PackageKernels : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  CompiledKernels read(const std::string& text) const {
    std::ofstream(folder_ / "int8.kernels.json") << text;
    return compiled_kernels(folder_ / "int8.pt2");
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "package_kernels";
};

constexpr const char* kTwoPrograms = R"({
  "layer": {"mm": {"configuration": "XBLOCK 2", "version": "aa", "kernel": "aa.py", "bytes": 1000, "grid_x": 6144},
            "norm": {"configuration": "XBLOCK 1", "version": "bb", "kernel": "bb.py", "bytes": 0}},
  "head": {"mm": {"configuration": "XBLOCK 4", "version": "cc", "kernel": "cc.py", "bytes": 3000, "grid_x": 16000}}})";

TEST_F(PackageKernels, AreGivenToTheKernelsOfATraceByNameAndGrid) {
  std::vector<KernelRecord> traced = {kernel("mm", 10, 6144), kernel("mm", 30, 16000),
                                      kernel("norm", 1, 7), kernel("copy", 1, 7)};
  describe(traced, read(kTwoPrograms));
  EXPECT_EQ(traced[0].configuration, "XBLOCK 2");
  EXPECT_EQ(traced[0].source, "aa");
  EXPECT_EQ(traced[0].bytes_a_launch, 1000);
  EXPECT_EQ(traced[1].configuration, "XBLOCK 4");
  EXPECT_EQ(traced[1].bytes_a_launch, 3000);
  EXPECT_EQ(traced[2].source, "bb");  // there is only one
  EXPECT_EQ(traced[2].bytes_a_launch, std::nullopt);
  EXPECT_EQ(traced[3].configuration, "");
}

TEST_F(PackageKernels, WereTunedByProgramAndSource) {
  const std::map<std::string, ProgramTuning> expected = {
      {"layer", {{"aa", "XBLOCK 2"}, {"bb", "XBLOCK 1"}}}, {"head", {{"cc", "XBLOCK 4"}}}};
  EXPECT_EQ(tuning_of(read(kTwoPrograms)), expected);
}

TEST_F(PackageKernels, SayNothingOfWhatTheyCannotTellApart) {
  std::vector<KernelRecord> traced = {kernel("mm", 10, 8)};
  describe(traced, read(kTwoPrograms));
  EXPECT_EQ(traced[0].configuration, "");
  EXPECT_EQ(traced[0].bytes_a_launch, std::nullopt);
  const auto one_without_a_grid = read(R"({
    "layer": {"mm": {"configuration": "XBLOCK 2", "version": "aa", "kernel": "aa.py", "grid_x": 8}},
    "head": {"mm": {"configuration": "XBLOCK 4", "version": "cc", "kernel": "cc.py"}}})");
  describe(traced, one_without_a_grid);
  EXPECT_EQ(traced[0].configuration, "");
  describe(
      traced,
      read(
          R"({"head": {"mm": {"configuration": "XBLOCK 4", "version": "cc", "kernel": "cc.py", "grid_x": 9}}})"));
  EXPECT_EQ(traced[0].configuration, "");  // the other program's was not recorded
}

TEST_F(PackageKernels, OfOneNameAndGridAreToldApartByTheirBlocks) {
  const auto compiled = read(R"({
    "layer": {"mm": {"configuration": "8 warps", "version": "aa", "kernel": "a", "threads": 256}},
    "head": {"mm": {"configuration": "4 warps", "version": "bb", "kernel": "b", "threads": 128}}})");
  std::vector<KernelRecord> traced = {kernel("mm", 10, 8)};
  describe(traced, compiled);
  EXPECT_EQ(traced[0].configuration, "4 warps");
  const std::map<std::string, std::string> of_this_one = {{"bb", "b"}};
  EXPECT_EQ(sources_of(traced, compiled), of_this_one);
}

// A launcher may add threads, and what was exported before has neither text nor threads.
TEST_F(PackageKernels, AreDescribedWhateverTheirBlockWhereThereIsOneOfTheName) {
  const auto compiled = read(R"({
    "layer": {"mm": {"configuration": "4 warps", "version": "aa", "threads": 96}}})");
  std::vector<KernelRecord> traced = {kernel("mm", 10, 8)};
  describe(traced, compiled);
  EXPECT_EQ(traced[0].source, "aa");
  EXPECT_TRUE(sources_of(traced, compiled).empty());
}

TEST_F(PackageKernels, AreNoneWithoutAFileAndAnErrorWithADamagedOne) {
  EXPECT_TRUE(compiled_kernels(folder_ / "other.pt2").empty());
  EXPECT_THROW(read("{"), UsageError);
  EXPECT_THROW(read(R"({"layer": {"mm": {"configuration": 3}}})"), UsageError);
}

}  // namespace
}  // namespace perfgate
