#pragma once
// Linux perf, told where what it is to sample begins and ends.

#include <string>

#include "perfgate/core/units.h"

namespace perfgate {

/// One end of a named pipe that perf has opened.
class Pipe {
 public:
  /// Throws UsageError where nobody has opened the other end.
  Pipe(const std::string& path, int flags);
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Talks to a `perf record --delay=-1 --control=fifo:CONTROL,ACK` by the two named pipes.
class PerfControl {
 public:
  /// `fifos`: "CONTROL,ACK". Throws UsageError where they are not two pipes that perf listens to.
  /// `patience`: for how long an answer is awaited.
  explicit PerfControl(const std::string& fifos, Seconds patience = Seconds(5));
  /// Each returns when perf has done it; throws SystemError when it does not answer.
  void enable() { command("enable"); }
  void disable() { command("disable"); }

 private:
  void command(const std::string& text) const;

  Pipe control_;
  Pipe answers_;
  Seconds patience_;
};

}  // namespace perfgate
