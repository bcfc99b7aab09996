#include "perfgate/core/appended_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kBlock = 1 << 16;

// What stands behind the last newline.
std::string torn_tail(const fs::path& path, std::uintmax_t size) {
  std::ifstream file(path, std::ios::binary);
  std::string tail;
  while (tail.size() < size && tail.find('\n') == std::string::npos) {
    const auto block = std::min(kBlock, size - tail.size());
    std::string text(block, '\0');
    file.seekg(static_cast<std::streamoff>(size - tail.size() - block));
    if (!file.read(text.data(), static_cast<std::streamsize>(block))) {
      throw SystemError("cannot read the end of " + path.string(), "check the disk");
    }
    tail.insert(0, text);
  }
  const auto newline = tail.rfind('\n');
  return newline == std::string::npos ? tail : tail.substr(newline + 1);
}

void require_appendable(const fs::path& path) {
  std::error_code error;
  const auto type = fs::status(path, error).type();
  if (type != fs::file_type::regular && type != fs::file_type::not_found) {
    throw SystemError(path.string() + " is no regular file, and one is needed",
                      "remove it, or name another folder");
  }
}

}  // namespace

std::string append_lines(const fs::path& path, std::string_view lines, FileCalls& calls) {
  require_appendable(path);
  std::error_code absent;
  const std::uintmax_t size = fs::file_size(path, absent);
  std::uintmax_t whole = absent ? 0 : size;
  std::string torn;
  if (!absent) {
    torn = torn_tail(path, size);
    whole -= torn.size();
  }
  if (!torn.empty()) {
    fs::resize_file(path, whole);
  }
  const int fd = calls.open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  int code = fd < 0 ? errno : 0;
  for (std::size_t done = 0; code == 0 && done < lines.size();) {
    const ssize_t written = calls.write(fd, lines.data() + done, lines.size() - done);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (written == 0 || errno != EINTR) {
      code = written == 0 ? ENOSPC : errno;
    }
  }
  if (code == 0 && calls.fsync(fd) != 0) {
    code = errno;
  }
  if (fd >= 0 && calls.close(fd) != 0 && code == 0) {
    code = errno;
  }
  if (code != 0) {
    std::error_code ignored;
    fs::resize_file(path, whole, ignored);
    throw SystemError(fmt::format("cannot append to {}: {}", path.string(), std::strerror(code)),
                      "free space on that disk, or make the folder writable; what was in the file "
                      "is still there");
  }
  return torn;
}

}  // namespace perfgate
