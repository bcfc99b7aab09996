// The CUDA backend: a worker sees one GPU, the one that was meant, as cuda:0.

#include <ATen/DeviceAccelerator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <thread>

#include "perfgate/backends/backend.h"
#include "perfgate/backends/cores.h"
#include "perfgate/device/cuda.h"
#include "perfgate/measure/cuda_check.h"
#include "perfgate/measure/cuda_gpu.h"
#include "perfgate/measure/cuda_sampler.h"
#include "perfgate/measure/cupti_tracer.h"

namespace perfgate {
namespace {

// The worker's own stream, on which LibTorch queues from now on. Not the legacy default one, where
// LibTorch begins: a CUDA graph cannot be captured there.
cudaStream_t take_stream() {
  const c10::Device device(c10::DeviceType::CUDA, 0);
  const c10::impl::VirtualGuardImpl cuda(device.type());
  const c10::Stream stream = cuda.getStreamFromGlobalPool(device);
  at::accelerator::setCurrentStream(stream);
  return static_cast<cudaStream_t>(stream.native_handle());
}

// ncu and nsys, which listen to CUDA's own calls; a graph can be captured beside them.
ProfilerControl cuda_profiler_control() {
  static constexpr const char* kMend = "run it without a profiler to see whether the body fails";
  take_stream();
  return {[] {
            check_cuda(cudaDeviceSynchronize(), "waiting for the body", kMend);
            check_cuda(cudaProfilerStart(), "starting the profiler", kMend);
          },
          [] {
            check_cuda(cudaDeviceSynchronize(), "waiting for the body", kMend);
            check_cuda(cudaProfilerStop(), "stopping the profiler", kMend);
          }};
}

// Owns what the sampler borrows.
class CudaMeasurement final : public Sampler {
 public:
  void precondition(Bound bound) override { sampler_.precondition(bound); }
  MeasuredBody measure(const Body& body, const Conditions& conditions) override {
    return sampler_.measure(body, conditions);
  }
  CeilingRates ceilings() override { return sampler_.ceilings(); }

 private:
  std::string why_no_tracer_;
  CudaGpu gpu_{cuda_calls(), take_stream(), kBlockTimeout};
  std::unique_ptr<KernelTracer> tracer_ = open_cupti(&why_no_tracer_);
  CudaSampler sampler_{CudaProtocol{}, gpu_, tracer_.get(), why_no_tracer_, one_core_for_a_while()};
};

}  // namespace

Backend make_cuda_backend() {
  Backend out;
  out.torch_device = "cuda:0";
  out.prepare_worker = [] {
    open_gpu(cuda_runtime(), [](Seconds pause) { std::this_thread::sleep_for(pause); });
  };
  // The scheduler moves a thread, and wakes the one that runs backward on another core: what
  // queueing the same kernels takes spreads by 6 to 31 % (CV) between processes. On one core of
  // a quiet host it spreads by 1 to 6 %, whichever core that is (LSTMs,
  // baselines/figures/2026-11-26-h100.md).
  const OneCore one_core = one_core_for_a_while();
  out.keep_to_one_core = one_core.keep;
  out.end_measuring = one_core.release;
  out.available_bytes = [] { return memory_of(cuda_runtime()).free_bytes; };
  out.all_bytes = [] { return memory_of(cuda_runtime()).all_bytes; };
  out.peak_bytes = [] {
    const auto stats = at::accelerator::getDeviceStats(/*device_index=*/0);
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return static_cast<double>(stats.allocated_bytes[kAll].peak);
  };
  out.reset_peak_bytes = [] { at::accelerator::resetPeakStats(/*device_index=*/0); };
  out.make_sampler = [] { return std::make_unique<CudaMeasurement>(); };
  out.make_profiler_control = cuda_profiler_control;
  out.plan = [](Seconds expected) { return plan_for(CudaProtocol{}, expected); };
  return out;
}

}  // namespace perfgate
