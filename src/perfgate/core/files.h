#pragma once
// Files that survive a crash. A baseline half written at kill -9 or on a full disk would fail (or
// pass) the next night for no reason: so every write goes to a temporary file beside the target,
// is fsynced and renamed over it; the old file is whole until the new one is.

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace perfgate {

/// The system calls behind write_atomically, one method a call, so that a test can fail each.
class FileCalls {
 public:
  virtual ~FileCalls() = default;
  virtual int open(const char* path, int flags, mode_t mode);
  virtual ssize_t write(int fd, const void* data, std::size_t size);
  virtual int fsync(int fd);
  virtual int close(int fd);
  virtual int rename(const char* from, const char* to);
  virtual int unlink(const char* path);
};

/// Whether anything has this name. A link that leads nowhere counts: reading it says what is wrong,
/// where taking it for a file that does not exist would hide the mistake.
bool is_there(const std::filesystem::path& path);

/// Reads a whole regular file, at once: a FIFO or a device is refused, never waited for. Throws
/// SystemError when it is not readable, UsageError past `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes = 64u << 20);

/// Replaces `path` by `text`, or throws SystemError and leaves the old file as it was. A link is
/// written through to the file that it stands for. Only regular files are replaced: a device, a
/// FIFO, a folder, or a `.tmp` beside it that is a link, is refused. Writers of one path must
/// exclude each other (see FileLock): they share the temporary file `path`.tmp.
void write_atomically(const std::filesystem::path& path, std::string_view text, FileCalls& calls);
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// An exclusive flock on `path`, created when missing and never deleted: renaming a locked file
/// swaps its inode, so locks live beside what they guard. Never created or opened through a link.
/// Waits; calls `on_wait` once before. A
/// signal that is caught ends the waiting: SystemError.
class FileLock {
 public:
  template <class OnWait>
  FileLock(const std::filesystem::path& path, OnWait&& on_wait) : fd_(open_lock(path)) {
    if (!try_lock(fd_)) {
      on_wait();
      wait_lock(fd_, path);
    }
  }
  explicit FileLock(const std::filesystem::path& path) : FileLock(path, [] {}) {}
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Who holds the lock on `path`: "process 4711, perfgate, of somebody"; or an empty string where
  /// the system does not tell.
  static std::string holder(const std::filesystem::path& path);

  /// From now on the lock holds until every process that is started meanwhile has ended, too: a
  /// worker outlives a parent that is killed by some moments.
  void pass_to_children();

 private:
  static int open_lock(const std::filesystem::path& path);
  static bool try_lock(int fd);
  static void wait_lock(int fd, const std::filesystem::path& path);
  int fd_;
};

}  // namespace perfgate
