#include "perfgate/core/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

[[noreturn]] void fail(const std::string& doing, const std::filesystem::path& path, int code,
                       const std::string& mend) {
  throw SystemError(fmt::format("{} {}: {}", doing, path.string(), std::strerror(code)), mend);
}

std::string mend_for(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "free space on that disk; the old file is unchanged";
    case EACCES:
    case EROFS:
    case EPERM:
      return "make the folder writable, or name another one";
    case ENOENT:
      return "create the folder, or name another one";
    default:
      return "the old file is unchanged; try again";
  }
}

// Closes and removes what was begun unless told that all went well.
class Unfinished {
 public:
  Unfinished(FileCalls& calls, std::string path, int fd)
      : calls_(calls), path_(std::move(path)), fd_(fd) {}
  ~Unfinished() {
    if (fd_ >= 0) {
      calls_.close(fd_);
    }
    if (!path_.empty()) {
      calls_.unlink(path_.c_str());
    }
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  int release_fd() { return std::exchange(fd_, -1); }
  void keep() { path_.clear(); }

 private:
  FileCalls& calls_;
  std::string path_;
  int fd_;
};

}  // namespace

int FileCalls::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }
ssize_t FileCalls::write(int fd, const void* data, std::size_t size) {
  return ::write(fd, data, size);
}
int FileCalls::fsync(int fd) { return ::fsync(fd); }
int FileCalls::close(int fd) { return ::close(fd); }
int FileCalls::rename(const char* from, const char* to) { return std::rename(from, to); }
int FileCalls::unlink(const char* path) { return ::unlink(path); }

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail("cannot read", path, EISDIR, "name a file");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    fail("cannot read", path, errno, "check the path and its permissions");
  }
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > max_bytes) {
    throw UsageError(
        fmt::format("{}: {} bytes, and the limit is {}", path.string(), size, max_bytes),
        "this is no file of perfgate's; restore it from version control");
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_atomically(const std::filesystem::path& path, std::string_view text, FileCalls& calls) {
  // One name, so that the next writer clears away what a killed one left behind.
  const std::string temporary = path.string() + ".tmp";
  const int fd = calls.open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    fail("cannot create", temporary, errno, mend_for(errno));
  }
  Unfinished unfinished(calls, temporary, fd);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = calls.write(fd, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      const int code = written < 0 ? errno : ENOSPC;
      fail("cannot write", temporary, code, mend_for(code));
    }
    done += static_cast<std::size_t>(written);
  }
  if (calls.fsync(fd) != 0) {
    fail("cannot flush to disk", temporary, errno, mend_for(errno));
  }
  if (calls.close(unfinished.release_fd()) != 0) {
    fail("cannot close", temporary, errno, mend_for(errno));
  }
  if (calls.rename(temporary.c_str(), path.c_str()) != 0) {
    fail("cannot replace", path, errno, mend_for(errno));
  }
  unfinished.keep();
  // The rename itself is only durable once its folder is. The data is whole either way, so a
  // folder that cannot be synced (some network file systems) is no error.
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const int folder_fd = calls.open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (folder_fd >= 0) {
    calls.fsync(folder_fd);
    calls.close(folder_fd);
  }
}

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  FileCalls calls;
  write_atomically(path, text, calls);
}

int FileLock::open_lock(const std::filesystem::path& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EACCES) {  // fs.protected_regular: somebody else's file in /tmp
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (fd < 0) {
    fail("cannot open the lock file", path, errno, mend_for(errno));
  }
  return fd;
}

bool FileLock::try_lock(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; }

void FileLock::wait_lock(int fd, const std::filesystem::path& path) {
  if (::flock(fd, LOCK_EX) != 0) {
    const int code = errno;
    ::close(fd);
    fail("cannot lock", path, code,
         code == EINTR ? "somebody wanted to wait no longer"
                       : "check that the file system supports flock");
  }
}

void FileLock::pass_to_children() {
  constexpr int kAboveTheirPipes = 10;
  const int passed = ::fcntl(fd_, F_DUPFD, kAboveTheirPipes);  // the same lock, without O_CLOEXEC
  if (passed < 0) {
    fail("cannot pass on", "a lock", errno, mend_for(errno));
  }
  ::close(fd_);
  fd_ = passed;
}

FileLock::~FileLock() { ::close(fd_); }

}  // namespace perfgate
