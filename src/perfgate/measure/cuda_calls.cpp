#include "perfgate/measure/cuda_calls.h"

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

}  // namespace perfgate
