#include "perfgate/measure/cuda_calls.h"

#include "perfgate/measure/ceiling_kernels.h"
#include "perfgate/measure/cuda_check.h"

namespace perfgate {
namespace {

class RealCudaCalls final : public CudaCalls {
 public:
  cudaError_t attribute(int* value, cudaDeviceAttr which) override {
    int device = 0;
    const cudaError_t code = cudaGetDevice(&device);
    return code != cudaSuccess ? code : cudaDeviceGetAttribute(value, which, device);
  }
  cudaError_t allocate(void** memory, std::size_t bytes) override {
    return cudaMalloc(memory, bytes);
  }
  void free(void* memory) override { cudaFree(memory); }
  cudaError_t available(std::size_t* bytes) override {
    std::size_t total = 0;
    return cudaMemGetInfo(bytes, &total);
  }
  cudaError_t allocate_shared(void** memory, std::size_t bytes) override {
    return cudaHostAlloc(memory, bytes, cudaHostAllocMapped);
  }
  void free_shared(void* memory) override { cudaFreeHost(memory); }
  cudaError_t make_event(cudaEvent_t* event) override { return cudaEventCreate(event); }
  void destroy(cudaEvent_t event) override { cudaEventDestroy(event); }
  cudaError_t clear(void* memory, std::size_t bytes, cudaStream_t stream) override {
    return cudaMemsetAsync(memory, 0, bytes, stream);
  }
  cudaError_t record(cudaEvent_t event, cudaStream_t stream) override {
    return cudaEventRecord(event, stream);
  }
  cudaError_t elapsed(float* ms, cudaEvent_t start, cudaEvent_t stop) override {
    return cudaEventElapsedTime(ms, start, stop);
  }
  cudaError_t wait(cudaStream_t stream) override { return cudaStreamSynchronize(stream); }
  cudaError_t launch(const std::function<void()>& kernel) override {
    kernel();
    return cudaGetLastError();
  }
};

}  // namespace

CudaCalls& cuda_calls() {
  static RealCudaCalls calls;
  return calls;
}

bool is_hopper_of_132(CudaCalls& calls) {
  const auto attribute = [&](cudaDeviceAttr which) {
    int out = 0;
    check_cuda(calls.attribute(&out, which), "what kind of GPU this is",
               "nvidia-smi shows whether the GPU still answers");
    return out;
  };
  return attribute(cudaDevAttrComputeCapabilityMajor) == 9 &&
         attribute(cudaDevAttrMultiProcessorCount) == kTensorCoreBlocks;
}

bool is_hopper_of_132() { return is_hopper_of_132(cuda_calls()); }

}  // namespace perfgate
