#pragma once
// A machine whose time passes only when a test says so.

#include <memory>
#include <vector>

#include "perfgate/measure/cpu_sampler.h"

namespace perfgate::testing_support {

class FakeClock final : public CpuClock {
 public:
  CpuInstant now() override { return instant_; }
  void pass(Seconds wall, Seconds process) {
    instant_.wall += wall;
    instant_.process += process;
  }
  void pass(Seconds both) { pass(both, both); }
  long voluntary_switches() override { return switches_; }
  /// The thread gives its core up of its own will, for so long.
  void wait(Seconds wall) {
    ++switches_;
    instant_.wall += wall;
  }

 private:
  CpuInstant instant_;
  long switches_ = 0;
};

class CountingFlush final : public CacheFlush {
 public:
  void flush(std::span<const std::span<const std::byte>> /*memory*/) override { ++flushes; }
  [[nodiscard]] std::string name() const override { return "counted"; }
  int flushes = 0;
};

/// One share of its 1e9 units of work takes `share`.
class FakeControl final : public CpuControl {
 public:
  FakeControl(FakeClock& clock, const Seconds& share) : clock_(clock), share_(share) {}
  void run(double shares) override { clock_.pass(shares * share_); }
  [[nodiscard]] double work() const override { return 1e9; }
  [[nodiscard]] std::vector<std::span<const std::byte>> operands() const override { return {}; }
  [[nodiscard]] std::string name() const override { return "fake-1"; }
  [[nodiscard]] std::string ceiling() const override { return "fake_per_s"; }

 private:
  FakeClock& clock_;
  const Seconds& share_;
};

}  // namespace perfgate::testing_support
