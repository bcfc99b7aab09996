#include "perfgate/process/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iterator>

#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing_support::put_bytes;
using testing_support::TemporaryFolder;

TEST(ScratchFolder, IsRemovedWithAllThatIsInIt) {
  const TemporaryFolder where;
  {
    const ScratchFolder scratch(where.path());
    put_bytes(*scratch.path() / "torch-dir-1/model.so", "code");
    scratch.empty();
    EXPECT_FALSE(fs::exists(*scratch.path() / "torch-dir-1"));
    put_bytes(*scratch.path() / "torch-dir-2/model.so", "code");
  }
  EXPECT_TRUE(fs::is_empty(where.path()));
}

TEST(ScratchFolder, OfARunThatIsAliveStaysAndOfOneThatWasKilledIsRemovedByTheNext) {
  const TemporaryFolder where;
  put_bytes(where / "perfgate-workers-foreign/file", "without a lock");
  put_bytes(where / "else/in_use", "not ours");
  const pid_t killed = ::fork();
  if (killed == 0) {
    const ScratchFolder scratch(where.path());
    put_bytes(*scratch.path() / "torch-dir-1/model.so", "code");
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(killed, &status, 0), killed);
  const auto folders = [&] {
    return std::distance(fs::directory_iterator(where.path()), fs::directory_iterator());
  };
  EXPECT_EQ(folders(), 3);
  const ScratchFolder first(where.path());
  EXPECT_EQ(folders(), 3);
  const ScratchFolder second(where.path());
  EXPECT_EQ(folders(), 4);
  EXPECT_TRUE(fs::exists(*first.path()));
}

TEST(ScratchFolder, IsNoneWhereNoneCanBeMade) {
  const ScratchFolder scratch("/nowhere");
  EXPECT_EQ(scratch.path(), std::nullopt);
  scratch.empty();
}

}  // namespace
}  // namespace perfgate
