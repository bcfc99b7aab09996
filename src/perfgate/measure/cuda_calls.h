#pragma once
// The calls of the CUDA runtime that a sample is made of: the seam at which tests fail each of them
// once. What a launch does inside its kernel's own launcher is not behind it.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

namespace perfgate {

/// On the current device. What can fail returns CUDA's code; what frees has nobody left to tell.
class CudaCalls {
 public:
  virtual ~CudaCalls() = default;
  virtual cudaError_t attribute(int* value, cudaDeviceAttr which) = 0;
  virtual cudaError_t allocate(void** memory, std::size_t bytes) = 0;
  virtual void free(void* memory) = 0;
  virtual cudaError_t available(std::size_t* bytes) = 0;
  /// Memory of the host's that the device sees, too.
  virtual cudaError_t allocate_shared(void** memory, std::size_t bytes) = 0;
  virtual void free_shared(void* memory) = 0;
  virtual cudaError_t make_event(cudaEvent_t* event) = 0;
  virtual void destroy(cudaEvent_t event) = 0;
  virtual cudaError_t clear(void* memory, std::size_t bytes, cudaStream_t stream) = 0;
  virtual cudaError_t record(cudaEvent_t event, cudaStream_t stream) = 0;
  virtual cudaError_t elapsed(float* ms, cudaEvent_t start, cudaEvent_t stop) = 0;
  virtual cudaError_t wait(cudaStream_t stream) = 0;
  /// `kernel` queues one.
  virtual cudaError_t launch(const std::function<void()>& kernel) = 0;
};

/// The runtime's own.
CudaCalls& cuda_calls();

/// is_hopper_of_132 of ceiling_kernels.h, by these calls.
bool is_hopper_of_132(CudaCalls& calls);

}  // namespace perfgate
