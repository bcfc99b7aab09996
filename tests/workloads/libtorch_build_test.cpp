#include "perfgate/workloads/libtorch_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/version.h>

#include "fixtures/temporary_folder.h"
#include "perfgate/core/files.h"

namespace perfgate {
namespace {

using testing::StartsWith;

TEST(LibTorchBuild, IsWhatAPythonPackageSays) {
  const testing_support::TemporaryFolder folder;
  write_atomically(folder.path() / "version.py",
                   "__all__ = ['__version__', 'git_version']\n"
                   "__version__ = '2.14.0.dev20261127+cpu'\n"
                   "git_version = 'cf30153c4c131c8164ee7798e5022d810682e2cb'\n");

  const auto build = libtorch_build_in(folder.path(), "2.14.0");

  EXPECT_EQ(build.version, "2.14.0.dev20261127+cpu");
  EXPECT_EQ(build.commit, "cf30153c4c13");
  EXPECT_EQ(build.folder, folder.path());
}

TEST(LibTorchBuild, IsWhatAnArchiveOfTheLibrariesSays) {
  const testing_support::TemporaryFolder folder;
  write_atomically(folder.path() / "build-version", "2.13.0+cu130\n");
  write_atomically(folder.path() / "build-hash", "cf30153c4c131c8164ee\n");

  const auto build = libtorch_build_in(folder.path(), "2.13.0");

  EXPECT_EQ(build.version, "2.13.0+cu130");
  EXPECT_EQ(build.commit, "cf30153c4c13");
}

TEST(LibTorchBuild, IsWhatTheHeadersSayWhereNoFileDoes) {
  const testing_support::TemporaryFolder folder;
  const auto build = libtorch_build_in(folder.path(), "2.13.0");
  EXPECT_EQ(build.version, "2.13.0");
  EXPECT_EQ(build.commit, "");
}

TEST(LibTorchBuild, OfThisProcessIsOfTheVersionThatItsHeadersHave) {
  EXPECT_THAT(libtorch_build().version, StartsWith(TORCH_VERSION));
  EXPECT_TRUE(std::filesystem::exists(libtorch_build().folder / "lib"));
}

}  // namespace
}  // namespace perfgate
