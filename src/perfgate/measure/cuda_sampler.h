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
#include <vector>

#include "perfgate/measure/gpu.h"
#include "perfgate/measure/kernel_trace.h"
#include "perfgate/measure/sample_taker.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

struct CudaProtocol {
  Seconds sampling{0.1};  ///< aimed-at total; more does not help: what is left is between processes
  int min_samples = 12;   ///< of bodies of 2.7 ms and more; their workers agree to 0.3 %
  int max_samples = 400;
  /// Bodies of which min_samples take longer (17 ms and more), pauses aside, get fewer, but this
  /// many.
  Seconds longest_sampling{0.2};
  int fewest_samples = 5;
  double pause = 2;  ///< behind a sample, in lengths of the body: without, products of some ms run
                     ///< into the power limit
  /// What is expected to take longer is measured without a pause: it would be most of its time. Few
  /// such bodies run into the limit within the samples that they get.
  Seconds longest_paused{0.03};
  Seconds load{0.1};            ///< of integer tensor cores, before what computes
  Seconds overhead{120e-6};     ///< what a sample costs beside body and pause
  Seconds warm_up{0.02};        ///< at least; until the SM clock stands still
  Seconds max_warm_up{0.5};     ///< a clock that never stands still is measured all the same
  double steady_clock = 0.005;  ///< relative difference of two clocks that stand still
  int floor_samples = 200;      ///< of the event floor
  int min_trace_runs = 1;       ///< executions that are traced: as many as fit into `sampling`
  int max_trace_runs = 10;
};

class CudaSampler final : public Sampler {
 public:
  /// Borrows `gpu` and `tracer`. Without a tracer, for the reason `why_no_tracer`, there is no busy
  /// time and no list of kernels.
  CudaSampler(CudaProtocol protocol, Gpu& gpu, KernelTracer* tracer, std::string why_no_tracer)
      : protocol_(protocol), gpu_(gpu), tracer_(tracer), why_no_tracer_(std::move(why_no_tracer)) {}

  void settle(Bound bound) override;
  Measurement measure(const Body& body, const Conditions& conditions) override;
  std::map<std::string, double> ceilings() override;

 private:
  CudaProtocol protocol_;
  Gpu& gpu_;
  KernelTracer* tracer_;
  std::string why_no_tracer_;
  std::optional<Seconds> floor_;  ///< of this process, once it has been measured
  bool loaded_ = false;           ///< once a process
};

/// How long the GPU idles behind a sample of a body of this length, in lengths of the body.
double pause_behind(const CudaProtocol& protocol, Seconds expected);
/// How many samples it gets: both are deterministic, since they are part of the protocol.
int sample_count(const CudaProtocol& protocol, Seconds expected);
/// And how many traced executions, as if there were a pause behind each.
int trace_count(const CudaProtocol& protocol, Seconds expected);

}  // namespace perfgate
