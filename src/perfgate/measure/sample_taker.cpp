#include "perfgate/measure/sample_taker.h"

#include <algorithm>

namespace perfgate {
namespace {

// Unblocks the stream however the sample ends: a body that throws must not leave it blocked.
class BlockedStream {
 public:
  BlockedStream(Gpu& gpu, bool wanted) : gpu_(gpu), blocked_(wanted) {
    if (blocked_) {
      gpu_.block();
    }
  }
  ~BlockedStream() { unblock(); }
  BlockedStream(const BlockedStream&) = delete;
  BlockedStream& operator=(const BlockedStream&) = delete;
  void unblock() {
    if (blocked_) {
      blocked_ = false;
      gpu_.unblock();
    }
  }

 private:
  Gpu& gpu_;
  bool blocked_;
};

}  // namespace

Sample SampleTaker::take(const std::function<void()>& run) {
  std::optional<Sample> out = once(run);
  while (!out) {
    out = once(run);
  }
  return *out;
}

// Nothing when the blocking kernel timed out: the body synchronises, launches more than the queue
// takes, or the host was delayed. Once may be chance; twice, and the body is measured without one.
std::optional<Sample> SampleTaker::once(const std::function<void()>& run) {
  if (before_each_) {
    before_each_();
    gpu_.wait();  // or the blocking kernel would time out while the device still prepares
  }
  const bool blocked = queued_whole();
  Sample out;
  {
    const BlockedStream until_queued(gpu_, blocked);
    gpu_.flush_cache();
    gpu_.record_start();
    const Seconds before = gpu_.now();
    run();
    out.host = gpu_.now() - before;
    gpu_.record_stop();
    gpu_.stamp_clock();
  }
  gpu_.wait();
  if (blocked && gpu_.block_timed_out()) {
    ++timed_out_;
    return std::nullopt;
  }
  out.elapsed = gpu_.elapsed();
  out.body_clock_mhz = gpu_.body_clock_mhz();
  out.clock_behind_mhz = gpu_.clock_behind_mhz();
  constexpr Seconds kLongestPause(0.1);  // of a body that takes far longer than it is expected to
  gpu_.pause(std::min(pause_ * out.elapsed, kLongestPause));
  return out;
}

}  // namespace perfgate
