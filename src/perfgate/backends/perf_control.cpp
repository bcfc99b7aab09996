#include "perfgate/backends/perf_control.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

// perf has opened both ends of each by then, or nobody will.
int opened(const std::string& path, int flags) {
  const int out = ::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC);
  if (out < 0) {
    throw UsageError("perf does not listen to " + path + ": " + std::strerror(errno),
                     "run the whole command that --repeat prints, mkfifo included");
  }
  return out;
}

}  // namespace

PerfControl::PerfControl(const std::string& fifos) {
  const auto comma = fifos.find(',');
  if (comma == std::string::npos) {
    throw UsageError("PERFGATE_PERF_CONTROL=" + fifos + " does not name two pipes",
                     "write CONTROL,ACK as in perf's --control=fifo:CONTROL,ACK");
  }
  control_ = opened(fifos.substr(0, comma), O_WRONLY);
  answers_ = opened(fifos.substr(comma + 1), O_RDONLY);
}

PerfControl::~PerfControl() {
  ::close(control_);
  ::close(answers_);
}

void PerfControl::command(const std::string& text) const {
  constexpr int kPatienceMs = 5000;
  const std::string line = text + "\n";
  std::array<char, 16> answer{};
  pollfd waiting{answers_, POLLIN, 0};
  if (::write(control_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
      ::poll(&waiting, 1, kPatienceMs) != 1 ||
      ::read(answers_, answer.data(), answer.size()) <= 0) {
    throw SystemError("perf does not answer to \"" + text + "\"",
                      "a perf of Linux 5.10 or newer knows --control");
  }
}

}  // namespace perfgate
