// The CUDA backend: a worker sees one GPU, the one that was meant, as cuda:0.

#include <ATen/DeviceAccelerator.h>
#include <cuda_runtime_api.h>

#include <thread>

#include "perfgate/backends/backend.h"
#include "perfgate/device/cuda.h"
#include "perfgate/measure/cuda_gpu.h"
#include "perfgate/measure/cuda_sampler.h"
#include "perfgate/measure/cupti_tracer.h"

namespace perfgate {
namespace {

// LibTorch queues on the legacy default stream unless it is told otherwise.
constexpr cudaStream_t kLibTorchsStream = nullptr;

// Owns what the sampler borrows.
class CudaMeasurement final : public Sampler {
 public:
  void settle(Bound bound) override { sampler_.settle(bound); }
  Measurement measure(const Body& body, const Conditions& conditions) override {
    return sampler_.measure(body, conditions);
  }
  std::map<std::string, double> ceilings() override { return sampler_.ceilings(); }

 private:
  std::string why_no_tracer_;
  CudaGpu gpu_{cuda_calls(), kLibTorchsStream, kHoldTimeout};
  std::unique_ptr<KernelTracer> tracer_ = open_cupti(&why_no_tracer_);
  CudaSampler sampler_{CudaProtocol{}, gpu_, tracer_.get(), why_no_tracer_};
};

}  // namespace

Backend make_cuda_backend() {
  Backend out;
  out.torch_device = "cuda:0";
  out.prepare_worker = [] {
    open_gpu(cuda_runtime(), [](Seconds pause) { std::this_thread::sleep_for(pause); });
  };
  out.available_bytes = [] { return free_bytes(cuda_runtime()); };
  out.peak_bytes = [] {
    const auto stats = at::accelerator::getDeviceStats(/*device_index=*/0);
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return static_cast<double>(stats.allocated_bytes[kAll].peak);
  };
  out.make_sampler = [] { return std::make_unique<CudaMeasurement>(); };
  return out;
}

}  // namespace perfgate
