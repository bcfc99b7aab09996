#include "perfgate/core/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include "perfgate/core/ascii.h"
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

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void refuse_kind(const std::filesystem::path& path, std::filesystem::file_type type) {
  using Type = std::filesystem::file_type;
  const char* what = type == Type::directory   ? "a folder"
                     : type == Type::symlink   ? "a symbolic link"
                     : type == Type::fifo      ? "a FIFO"
                     : type == Type::character ? "a device"
                     : type == Type::block     ? "a device"
                     : type == Type::socket    ? "a socket"
                                               : "no file";
  throw SystemError(fmt::format("{} is {}, and a regular file is needed", path.string(), what),
                    "remove it, or name another file");
}

void require_regular(int fd, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) {
    fail("cannot look at", path, errno, "check the path and its permissions");
  }
  if (!S_ISREG(status.st_mode)) {
    std::error_code error;
    refuse_kind(path, std::filesystem::status(path, error).type());
  }
}

// That nothing is there, or a regular file itself: what is written or locked in its place would
// otherwise go wherever a link points.
void require_regular_or_nothing(const std::filesystem::path& path) {
  std::error_code error;
  const auto type = std::filesystem::symlink_status(path, error).type();
  if (type != std::filesystem::file_type::not_found &&
      type != std::filesystem::file_type::regular && type != std::filesystem::file_type::none) {
    refuse_kind(path, type);
  }
}

// The file that a link stands for, through all links; the path itself where it is none.
std::filesystem::path target_of(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) {
    return path;
  }
  auto target = std::filesystem::weakly_canonical(path, error);
  if (error) {
    throw SystemError(fmt::format("cannot follow the link {}: {}", path.string(), error.message()),
                      "mend the link, or remove it");
  }
  return target;
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

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::symlink_status(path, error).type() !=
         std::filesystem::file_type::not_found;
}

int FileCalls::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }
ssize_t FileCalls::write(int fd, const void* data, std::size_t size) {
  return ::write(fd, data, size);
}
int FileCalls::fsync(int fd) { return ::fsync(fd); }
int FileCalls::close(int fd) { return ::close(fd); }
int FileCalls::rename(const char* from, const char* to) { return std::rename(from, to); }
int FileCalls::unlink(const char* path) { return ::unlink(path); }

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  // Not blocking: a FIFO would make us wait for somebody to write it.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    fail("cannot read", path, errno, "check the path and its permissions");
  }
  require_regular(file.get(), path);
  std::string out;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail("cannot read", path, errno, "check the disk");
    }
    if (got == 0) {
      return out;
    }
    out.append(buffer.data(), static_cast<std::size_t>(got));
    if (out.size() > max_bytes) {
      throw UsageError(fmt::format("{}: more than {} bytes, the limit", path.string(), max_bytes),
                       "this is no file of perfgate's; restore it from version control");
    }
  }
}

void write_atomically(const std::filesystem::path& named, std::string_view text, FileCalls& calls) {
  const auto path = target_of(named);
  require_regular_or_nothing(path);
  // One name, so that the next writer clears away what a killed one left behind.
  const std::string temporary = path.string() + ".tmp";
  require_regular_or_nothing(temporary);
  calls.unlink(temporary.c_str());
  const int fd =
      calls.open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
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
  require_regular_or_nothing(path);
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  // NFS locks exclusively only what is open for writing. Somebody else's file in /tmp may be opened
  // without O_CREAT alone (fs.protected_regular), and often for reading alone.
  int fd = -1;
  for (const int access : {O_RDWR | O_CREAT, O_RDWR, O_RDONLY | O_CREAT, O_RDONLY}) {
    fd = ::open(path.c_str(), kFlags | access, 0666);
    if (fd >= 0 || (errno != EACCES && errno != EROFS && errno != EPERM)) {
      break;
    }
  }
  if (fd < 0) {
    fail("cannot open the lock file", path, errno, mend_for(errno));
  }
  require_regular(fd, path);
  return fd;
}

// By /proc/locks: "1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF", with the device in hexadecimal.
std::string FileLock::holder(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return "";
  }
  const std::string file =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    enum : std::size_t { kKind = 1, kProcess = 4, kFile = 5 };
    const auto words = words_of(line);
    if (words.size() > kFile && words[kKind] == "FLOCK" && words[kFile] == file) {
      const std::string& process = words[kProcess];
      std::string name;
      std::getline(std::ifstream(fmt::format("/proc/{}/comm", process)), name);
      struct stat owner {};
      const bool known = ::stat(fmt::format("/proc/{}", process).c_str(), &owner) == 0;
      const passwd* user = known ? ::getpwuid(owner.st_uid) : nullptr;
      return fmt::format("process {}{}{}", process, name.empty() ? "" : ", " + name,
                         user == nullptr ? "" : fmt::format(", of {}", user->pw_name));
    }
  }
  return "";
}

bool FileLock::try_lock(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; }

void FileLock::wait_lock(int fd, const std::filesystem::path& path) {
  if (::flock(fd, LOCK_EX) != 0) {
    const int code = errno;
    ::close(fd);
    fail("cannot lock", path, code,
         code == EINTR ? "somebody wanted to wait no longer"
         : code == EBADF
             ? "its file system, as NFS, locks only what may be written: make that file writable"
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
