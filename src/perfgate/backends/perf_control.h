#pragma once
// Linux perf, told where what it is to sample begins and ends.

#include <string>

namespace perfgate {

/// Talks to a `perf record --delay=-1 --control=fifo:CONTROL,ACK` by the two named pipes.
class PerfControl {
 public:
  /// `fifos`: "CONTROL,ACK". Throws UsageError where they are not two pipes that perf listens to.
  explicit PerfControl(const std::string& fifos);
  ~PerfControl();
  PerfControl(const PerfControl&) = delete;
  PerfControl& operator=(const PerfControl&) = delete;

  /// Each returns when perf has done it; throws SystemError when it does not answer.
  void enable() { command("enable"); }
  void disable() { command("disable"); }

 private:
  void command(const std::string& text) const;

  int control_ = -1;
  int answers_ = -1;
};

}  // namespace perfgate
