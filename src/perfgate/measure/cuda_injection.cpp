#include "perfgate/measure/cuda_injection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct Compared {
  Seconds alone{0};
  Seconds injected{0};
};

// Turn by turn, so that a clock that changes meanwhile changes both.
Compared compared(SampleTaker& taker, const std::function<void()>& run,
                  const std::function<void()>& injected, int samples) {
  std::vector<double> alone_s;
  std::vector<double> injected_s;
  for (int i = 0; i < samples; ++i) {
    alone_s.push_back(taker.take(run).elapsed.count());
    injected_s.push_back(taker.take(injected).elapsed.count());
  }
  return {Seconds(trimmed_mean(alone_s)), Seconds(trimmed_mean(injected_s))};
}

}  // namespace

std::function<void()> with_injection(SampleTaker& taker, Gpu& gpu, const std::function<void()>& run,
                                     const InjectionRequest& request) {
  constexpr int kRounds = 4;
  constexpr double kCloseEnough = 0.05;  // of what was wanted
  const auto injected = [&gpu, run, bound = request.bound](Seconds length) {
    return [&gpu, run, bound, length] {
      run();
      gpu.extra_work(length, bound);
    };
  };
  Seconds length = request.percent / 100 * request.expected;
  for (int round = 0; round < kRounds; ++round) {
    const auto [alone, together] = compared(taker, run, injected(length), request.samples);
    const Seconds wanted = request.percent / 100 * (alone - request.floor);
    const Seconds missing = wanted - (together - alone);
    if (std::abs(missing.count()) <= kCloseEnough * wanted.count()) {
      break;
    }
    length = std::max(Seconds(0), length + missing);
  }
  return injected(length);
}

}  // namespace perfgate
