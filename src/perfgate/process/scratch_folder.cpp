#include "perfgate/process/scratch_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace perfgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "perfgate-workers-";
constexpr const char* kLock = "in_use";

// Its lock, if nobody has it; else -1. What has no lock is being made, or is not ours.
int lock_of_nobody(const fs::path& folder) {
  const int lock = ::open((folder / kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0) {
    return lock;
  }
  if (lock >= 0) {
    ::close(lock);
  }
  return -1;
}

void remove_what_killed_runs_left(const fs::path& where) {
  std::error_code error;  // of folders that come and go meanwhile, and of other users' ones
  for (fs::directory_iterator entry(where, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code of_entry;
    if (!entry->path().filename().string().starts_with(kPrefix) ||
        entry->symlink_status(of_entry).type() != fs::file_type::directory) {
      continue;
    }
    if (const int lock = lock_of_nobody(entry->path()); lock >= 0) {
      fs::remove_all(entry->path(), of_entry);
      ::close(lock);
    }
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& where) {
  remove_what_killed_runs_left(where);
  std::string name = (where / kPrefix).string() + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return;
  }
  // Under its name only once it is held: another run would take the folder for left behind.
  const std::string unheld = name + "/" + kLock + ".new";
  lock_ = ::open(unheld.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  std::error_code error;
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    fs::remove_all(name, error);
    return;
  }
  fs::rename(unheld, fs::path(name) / kLock, error);
  path_ = fs::absolute(name, error);
}

void ScratchFolder::empty() const {
  if (!path_) {
    return;
  }
  std::error_code error;
  for (fs::directory_iterator entry(*path_, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != kLock) {
      std::error_code of_entry;
      fs::remove_all(entry->path(), of_entry);
    }
  }
}

ScratchFolder::~ScratchFolder() {
  if (path_) {
    std::error_code error;
    fs::remove_all(*path_, error);
  }
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

}  // namespace perfgate
