#pragma once
// The GPU protocol: each sample is queued whole behind a blocking kernel, so that no launch is
// waited for; the L2 is cleaned by reading; a pause follows each, so that no power limit builds up;
// and the time that two events take by themselves is subtracted. Plain events around a call spread
// 7-83 % from run to run; this, 0.05 to 0.5 % between processes. After timing, the kernels are
// traced, and where the host may decide it is measured by itself (host_pass.h).
//
// Under what heavy products draw, an H200 grants one of two clocks, 3 to 10 % apart, by what
// ran before. So what computes is measured right after preconditioning, which stays below the power
// limit: of 1600 workers of dense products and attention one was off by more than 1.5 %, by
// cuSPARSELt one in 23. And its SM cycles are judged beside its time, whose clock they leave out.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "perfgate/measure/cuda_metrics.h"
#include "perfgate/measure/gpu.h"
#include "perfgate/measure/host_pass.h"
#include "perfgate/measure/kernel_trace.h"
#include "perfgate/measure/measurement_plan.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

class CudaSampler final : public Sampler {
 public:
  /// Borrows `gpu` and `tracer`. Without a tracer, for the reason `why_no_tracer`, there is no busy
  /// time and no list of kernels; without a `one_core` no host pass.
  CudaSampler(CudaProtocol protocol, Gpu& gpu, KernelTracer* tracer, std::string why_no_tracer,
              std::optional<OneCore> one_core = std::nullopt)
      : protocol_(protocol),
        gpu_(gpu),
        tracer_(tracer),
        why_no_tracer_(std::move(why_no_tracer)),
        one_core_(std::move(one_core)) {}

  void precondition(Bound bound) override;
  MeasuredBody measure(const Body& body, const Conditions& conditions) override;
  CeilingRates ceilings() override;

 private:
  void add_host_pass(const Body& body, const CudaSeries& series, bool queued_whole,
                     MeasuredBody& measured);

  CudaProtocol protocol_;
  Gpu& gpu_;
  KernelTracer* tracer_;
  std::string why_no_tracer_;
  std::optional<OneCore> one_core_;
  std::optional<Seconds> floor_;  ///< of this process, once it has been measured
  bool preconditioned_ = false;   ///< once a process
};

}  // namespace perfgate
