#pragma once
// The CPU protocol: one pinned thread, cold operands, a control right before and after each block
// of samples, samples that somebody else disturbed thrown away (those in which the body itself
// waits stay). Judged is utilisation: the body's rate over the control's, which a machine that
// slows down altogether does not move.

#include <functional>
#include <memory>

#include "perfgate/measure/cache_flush.h"
#include "perfgate/measure/cpu_clock.h"
#include "perfgate/measure/cpu_control.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

struct CpuProtocol {
  Seconds sampling{0.4};      ///< aimed-at total of the samples; more costs the suite's 3 minutes
  int min_samples = 8;        ///< fewer and the median means little; long bodies get just these
  int max_samples = 300;      ///< more does not help: what is left is between processes
  Seconds block{0.01};        ///< samples between two controls; longer and drift gets in
  double disturbed = 0.005;   ///< wall over CPU time beyond which a sample is discarded
  Seconds clock_grain{2e-6};  ///< slack on that: reading both clocks costs this much
  Seconds warm_up{0.05};      ///< aimed-at total of runs before: clocks, caches, first touches
  int min_warm_up_runs = 2;   ///< of long bodies too
};

class CpuSampler final : public Sampler {
 public:
  using MakeControl = std::function<std::unique_ptr<CpuControl>(Bound)>;
  /// Borrows clock and flush.
  CpuSampler(CpuProtocol protocol, CpuClock& clock, CacheFlush& flush, MakeControl make_control);

  Measurement measure(const Body& body, const Conditions& conditions) override;
  std::map<std::string, double> ceilings() override;

 private:
  CpuProtocol protocol_;
  CpuClock& clock_;
  CacheFlush& flush_;
  MakeControl make_control_;
};

/// How many samples a body of this length gets: deterministic, since it is part of the protocol.
int sample_count(const CpuProtocol& protocol, Seconds expected);

}  // namespace perfgate
