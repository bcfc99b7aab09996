#pragma once
// The CPU protocol: one pinned thread, cold operands, a control right before and after each block
// of samples, samples that somebody else disturbed thrown away (those in which the body itself
// waits stay). Judged is utilisation: the body's rate over
// the control's, which a machine that slows down altogether does not move.

#include <functional>
#include <memory>

#include "perfgate/measure/cache_flush.h"
#include "perfgate/measure/cpu_clock.h"
#include "perfgate/measure/cpu_control.h"
#include "perfgate/measure/kernel_trace.h"
#include "perfgate/measure/measurement_plan.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

class CpuSampler final : public Sampler {
 public:
  using MakeControl = std::function<std::unique_ptr<CpuControl>(Bound)>;
  /// Borrows clock, flush and tracer; without a tracer nothing is traced.
  CpuSampler(CpuProtocol protocol, CpuClock& clock, CacheFlush& flush, MakeControl make_control,
             KernelTracer* tracer = nullptr);

  MeasuredBody measure(const Body& body, const Conditions& conditions) override;
  TracedBody traced(const Body& body) override;
  CeilingRates ceilings() override;

 private:
  void require_long_enough(double time_us) const;

  CpuProtocol protocol_;
  CpuClock& clock_;
  CacheFlush& flush_;
  MakeControl make_control_;
  KernelTracer* tracer_;
};

}  // namespace perfgate
