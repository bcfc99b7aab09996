#include "perfgate/backends/perf_control.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

// "CONTROL,ACK".
std::size_t comma_in(const std::string& fifos) {
  const auto comma = fifos.find(',');
  if (comma == std::string::npos) {
    throw UsageError("PERFGATE_PERF_CONTROL=" + fifos + " does not name two pipes",
                     "write CONTROL,ACK as in perf's --control=fifo:CONTROL,ACK");
  }
  return comma;
}

}  // namespace

// perf has opened both ends of each by then, or nobody will.
Pipe::Pipe(const std::string& path, int flags)
    : descriptor_(::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw UsageError("perf does not listen to " + path + ": " + std::strerror(errno),
                     "run both commands that --repeat prints, mkfifo first");
  }
}

Pipe::~Pipe() { ::close(descriptor_); }

PerfControl::PerfControl(const std::string& fifos, Seconds patience)
    : control_(fifos.substr(0, comma_in(fifos)), O_WRONLY),
      answers_(fifos.substr(comma_in(fifos) + 1), O_RDONLY),
      patience_(patience) {}

void PerfControl::command(const std::string& text) const {
  const std::string line = text + "\n";
  std::array<char, 16> answer{};
  pollfd waiting{answers_.descriptor(), POLLIN, 0};
  const auto milliseconds = static_cast<int>(1000 * patience_.count());
  const auto length = static_cast<ssize_t>(line.size());
  if (::write(control_.descriptor(), line.data(), line.size()) != length ||
      ::poll(&waiting, 1, milliseconds) != 1 ||
      ::read(answers_.descriptor(), answer.data(), answer.size()) <= 0) {
    throw SystemError("perf does not answer to \"" + text + "\"",
                      "a perf of Linux 5.10 or newer knows --control");
  }
}

}  // namespace perfgate
