#pragma once
// The GPU protocol: one sample a hold, so that no launch is waited for; an L2 that was cleaned by
// reading; a pause after each, so that no power limit builds up; and the time that two events take
// by themselves subtracted. Plain events around a call spread 7-83 % from run to run; this, 0.05 to
// 0.5 % between processes. After timing, the kernels are traced.
//
// Under what heavy products draw, an H200 grants one of two clocks, 3 to 10 % apart, by the load
// that it had before. So what computes is measured behind a load of its own, which stays below the
// power limit: of 1600 workers of dense products and attention one was off by more than 1.5 %, by
// cuSPARSELt one in 23. And its SM cycles are judged beside its time, whose clock they leave out.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "perfgate/measure/gpu.h"
#include "perfgate/measure/kernel_trace.h"
#include "perfgate/measure/measurement_plan.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

class CudaSampler final : public Sampler {
 public:
  /// Borrows `gpu` and `tracer`. Without a tracer, for the reason `why_no_tracer`, there is no busy
  /// time and no list of kernels.
  CudaSampler(CudaProtocol protocol, Gpu& gpu, KernelTracer* tracer, std::string why_no_tracer)
      : protocol_(protocol), gpu_(gpu), tracer_(tracer), why_no_tracer_(std::move(why_no_tracer)) {}

  void precondition(Bound bound) override;
  Measurement measure(const Body& body, const Conditions& conditions) override;
  CeilingRates ceilings() override;

 private:
  CudaProtocol protocol_;
  Gpu& gpu_;
  KernelTracer* tracer_;
  std::string why_no_tracer_;
  std::optional<Seconds> floor_;  ///< of this process, once it has been measured
  bool loaded_ = false;           ///< once a process
};

}  // namespace perfgate
