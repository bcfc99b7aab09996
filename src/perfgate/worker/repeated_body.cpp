#include "perfgate/worker/repeated_body.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <chrono>

#include "perfgate/workloads/prepared.h"

namespace perfgate {
namespace {

constexpr int kWarmUps = 3;

Seconds repeated(const PreparedPhase& phase, const ProfilerControl& profiler, int times) {
  using Clock = std::chrono::steady_clock;
  Seconds out{0};
  for (int i = 0; i < kWarmUps; ++i) {
    phase.run_once();
  }
  const int together = phase.before_each ? 1 : times;  // what comes before is not the body
  for (int done = 0; done < times; done += together) {
    if (phase.before_each) {
      phase.before_each();
    }
    profiler.start();
    const auto started = Clock::now();
    for (int i = 0; i < together; ++i) {
      phase.run();
    }
    profiler.stop();
    out += Clock::now() - started;
  }
  return out / times;
}

}  // namespace

std::vector<RepeatedPhase> repeat_body(const Case& item, const Backend& backend,
                                       const Tuning& tuning, const Packages& packages, int times) {
  at::set_num_threads(1);
  const c10::InferenceMode no_autograd(!item.autograd);
  const ProfilerControl profiler = backend.make_profiler_control();
  const Prepared prepared = item.prepare(
      {at::Device(backend.torch_device), packages, backend.device->identity().model, tuning});
  std::vector<RepeatedPhase> out;
  for (const auto& [phase, part] : prepared.phases) {
    out.push_back({phase, repeated(part, profiler, times)});
  }
  return out;
}

}  // namespace perfgate
