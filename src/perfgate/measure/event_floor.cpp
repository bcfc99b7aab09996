#include "perfgate/measure/event_floor.h"

#include <cmath>
#include <vector>

#include "perfgate/stats/descriptive.h"

namespace perfgate {

void warm_up(const MeasurementPlan& plan, double steady_clock, Gpu& gpu, SampleTaker& taker,
             const std::function<void()>& run) {
  const Seconds start = gpu.now();
  double last_mhz = 0;
  while (gpu.now() - start < plan.longest_warm_up) {
    const double mhz = taker.take(run).clock_behind_mhz;
    const bool steady = std::abs(mhz - last_mhz) <= steady_clock * mhz;
    if (steady && gpu.now() - start >= plan.warm_up) {
      return;
    }
    last_mhz = mhz;
  }
}

Seconds event_floor(const CudaProtocol& protocol, Gpu& gpu, int samples) {
  SampleTaker taker(gpu, protocol.pause);
  const auto run = [&gpu] { gpu.empty_kernel(); };
  warm_up(plan_for(protocol, Seconds(0)), protocol.steady_clock, gpu, taker, run);
  std::vector<double> elapsed_s;
  for (int i = 0; i < samples; ++i) {
    elapsed_s.push_back(taker.take(run).elapsed.count());
  }
  return Seconds(trimmed_mean(elapsed_s));
}

}  // namespace perfgate
