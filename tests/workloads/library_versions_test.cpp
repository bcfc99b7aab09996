#include "perfgate/worker/library_versions.h"

#include <gtest/gtest.h>

#include "perfgate/workloads/libtorch_build.h"

namespace perfgate {
namespace {

TEST(LibraryVersion, IsTheNumberAndTheCommitsStart) {
  EXPECT_EQ(library_version("Intel(R) MKL-DNN v3.7.1 (Git Hash 8d263e693366ef8db40acc569cc7d8ed)"),
            "3.7.1 8d263e69");
  EXPECT_EQ(library_version("Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build "
                            "20240605 for Intel(R) 64 architecture applications"),
            "2024.2-Product");
}

TEST(LibraryVersion, IsEmptyWhereALibraryIsNotThere) {
  EXPECT_EQ(library_version("MKL is not available"), "");
  EXPECT_EQ(library_version(""), "");
}

TEST(LibraryVersions, HaveTheInstructionSetOfThisProcess) {
  EXPECT_NE(library_versions().at("cpu_capability"), "");
}

TEST(LibraryVersions, SayWhichLibTorchThisIsAndWhereItLies) {
  const auto versions = library_versions();
  EXPECT_EQ(versions.at("libtorch"), libtorch_build().version);
  EXPECT_EQ(versions.at("libtorch_folder"), libtorch_build().folder);
}

}  // namespace
}  // namespace perfgate
