#include "perfgate/measure/sample_taker.h"

namespace perfgate {
namespace {

// Releases the stream however the sample ends: a body that throws must not leave it held.
class Hold {
 public:
  Hold(Gpu& gpu, bool wanted) : gpu_(gpu), held_(wanted) {
    if (held_) {
      gpu_.hold();
    }
  }
  ~Hold() { release(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  void release() {
    if (held_) {
      held_ = false;
      gpu_.release();
    }
  }

 private:
  Gpu& gpu_;
  bool held_;
};

}  // namespace

Sample SampleTaker::take(const std::function<void()>& run) {
  std::optional<Sample> out = once(run);
  while (!out) {
    out = once(run);
  }
  return *out;
}

// Nothing when the hold ran out: the body synchronises, launches more than the queue takes, or the
// host was held up. Once may be chance; twice, and the body is measured without a hold.
std::optional<Sample> SampleTaker::once(const std::function<void()>& run) {
  if (before_each_) {
    before_each_();
    gpu_.wait();  // or the hold would run out while the device still prepares
  }
  const bool held_now = held();
  Sample out;
  {
    Hold hold(gpu_, held_now);
    gpu_.flush_cache();
    gpu_.record_start();
    const Seconds before = gpu_.now();
    run();
    out.host = gpu_.now() - before;
    gpu_.record_stop();
    gpu_.stamp_clock();
  }
  gpu_.wait();
  if (held_now && gpu_.hold_timed_out()) {
    ++timed_out_;
    return std::nullopt;
  }
  out.elapsed = gpu_.elapsed();
  out.body_clock_mhz = gpu_.body_clock_mhz();
  out.clock_behind_mhz = gpu_.clock_behind_mhz();
  gpu_.pause(pause_ * out.elapsed);
  return out;
}

}  // namespace perfgate
