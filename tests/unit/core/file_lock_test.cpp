// Who holds a lock, and for how long.
#include "perfgate/core/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include "fixtures/message_of.h"
#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::message_of;
using testing_support::TemporaryFolder;

TEST(Lock, IsNeverTakenThroughALinkOnAFifoOrAFolder) {
  TemporaryFolder folder;
  std::filesystem::create_symlink("somewhere", folder / "link.lock");
  EXPECT_THAT(message_of<SystemError>([&] { const FileLock lock(folder / "link.lock"); }),
              HasSubstr("link.lock is a symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(folder / "somewhere"));
  const auto fifo = folder / "fifo.lock";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(message_of<SystemError>([&] { const FileLock lock(fifo); }), HasSubstr("is a FIFO"));
  EXPECT_THAT(message_of<SystemError>([&] { const FileLock lock(folder.path()); }),
              HasSubstr("is a folder"));
}

// How the process has its file open.
int access_of(const std::filesystem::path& file) {
  for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (std::filesystem::read_symlink(open.path(), error) == file) {
      return ::fcntl(std::stoi(open.path().filename()), F_GETFL) & O_ACCMODE;
    }
  }
  return -1;
}

// NFS locks nothing else exclusively: "Bad file descriptor".
TEST(Lock, IsOnAFileThatIsOpenForWriting) {
  TemporaryFolder folder;
  const auto path = folder / "a.lock";
  const FileLock lock(path);
  EXPECT_EQ(access_of(path), O_RDWR);
}

TEST(Lock, IsHeldOnAFileThatMayOnlyBeRead) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may write everything";
  }
  TemporaryFolder folder;
  const auto path = folder / "a.lock";
  { const FileLock made(path); }
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  const FileLock lock(path);
  EXPECT_EQ(access_of(path), O_RDONLY);
}

TEST(Lock, SaysWhoHoldsIt) {
  TemporaryFolder folder;
  const auto path = folder / "a.lock";
  {
    const FileLock lock(path);
    EXPECT_THAT(FileLock::holder(path),
                HasSubstr("process " + std::to_string(::getpid()) + ", unit_core"));
  }
  EXPECT_EQ(FileLock::holder(path), "");
  EXPECT_EQ(FileLock::holder(folder / "none.lock"), "");
}

TEST(FileLock, MakesASecondLockerWaitAndTellsItSo) {
  const TemporaryFolder folder;
  std::atomic<bool> waiting = false;
  std::atomic<bool> inside = false;
  std::atomic<bool> released = false;
  bool entered_early = false;
  auto first = std::make_unique<FileLock>(folder / "lock");
  std::thread second([&] {
    const FileLock lock(folder / "lock", [&] { waiting = true; });
    entered_early = !released;
    inside = true;
  });
  while (!waiting && !inside) {
    std::this_thread::yield();
  }
  // Lets a lock that does not wait come through; nothing is measured.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  released = true;
  first.reset();
  second.join();
  EXPECT_TRUE(waiting);
  EXPECT_FALSE(entered_early);
}

TEST(FileLock, IsFreeAfterDestructionAndKeepsItsFile) {
  const TemporaryFolder folder;
  { const FileLock lock(folder / "lock"); }
  bool waited = false;
  {
    const FileLock lock(folder / "lock", [&] { waited = true; });
  }
  EXPECT_FALSE(waited);
  EXPECT_TRUE(std::filesystem::exists(folder / "lock"));
}

class Sleeper {  // a process that does nothing until it is killed
 public:
  Sleeper() {
    std::array<char*, 3> command = {name_.data(), seconds_.data(), nullptr};
    EXPECT_EQ(::posix_spawnp(&process_, name_.c_str(), nullptr, nullptr, command.data(), environ),
              0);
  }
  ~Sleeper() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

 private:
  std::string name_ = "sleep";
  std::string seconds_ = "600";
  pid_t process_ = 0;
};

bool is_locked(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  return locked;
}

TEST(FileLock, HoldsUntilAChildThatInheritedItHasEnded) {
  const TemporaryFolder folder;
  auto lock = std::make_unique<FileLock>(folder / "lock");
  lock->pass_to_children();
  {
    const Sleeper child;
    lock.reset();
    EXPECT_TRUE(is_locked(folder / "lock"));
  }
  EXPECT_FALSE(is_locked(folder / "lock"));
}

TEST(FileLock, IsNotInheritedUnlessItIsPassedOn) {
  const TemporaryFolder folder;
  auto lock = std::make_unique<FileLock>(folder / "lock");
  const Sleeper child;
  lock.reset();
  EXPECT_FALSE(is_locked(folder / "lock"));
}

TEST(FileLock, EndsItsWaitingAtASignal) {
  const TemporaryFolder folder;
  const FileLock first(folder / "lock");
  struct sigaction action {};
  action.sa_handler = [](int) {};  // no SA_RESTART
  struct sigaction before {};
  ::sigaction(SIGUSR1, &action, &before);
  std::atomic<bool> ended = false;
  std::string message;
  std::thread second([&] {
    message = message_of<SystemError>([&] { const FileLock lock(folder / "lock"); });
    ended = true;
  });
  while (!ended) {  // one that came before the waiting began would not end it
    ::pthread_kill(second.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  second.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_THAT(message, HasSubstr("wait no longer"));
}

TEST(FileLock, SaysHowToMendAMissingFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<SystemError>([&] { const FileLock lock(folder / "no/lock"); }),
              AllOf(HasSubstr("no/lock"), HasSubstr("create the folder")));
}

}  // namespace
}  // namespace perfgate
