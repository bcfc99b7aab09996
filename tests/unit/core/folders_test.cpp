#include "perfgate/core/folders.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

TEST(TemporaryFiles, LieWhereTheEnvironmentSaysElseInTmp) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/somewhere", 1);
  EXPECT_EQ(folder_for_temporary_files(), "/somewhere");
  ::unsetenv("TMPDIR");
  ::setenv("TMP", "/else", 1);
  EXPECT_EQ(folder_for_temporary_files(), "/else");
  ::unsetenv("TMP");
  if (before != nullptr) {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
}

TEST(NoExec, IsToldOfAFolderThatIsMountedSo) {
  const testing_support::TemporaryFolder folder;
  EXPECT_FALSE(is_noexec("/"));
  EXPECT_FALSE(is_noexec(folder / "none"));
  if (!is_noexec("/proc")) {
    GTEST_SKIP() << "/proc is not mounted noexec here";
  }
}

}  // namespace
}  // namespace perfgate
