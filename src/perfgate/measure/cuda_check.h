#pragma once
// What a code of the CUDA runtime becomes: an error in CUDA's own words.

#include <cuda_runtime_api.h>

#include <string>

#include "perfgate/core/errors.h"

namespace perfgate {

/// Throws SystemError unless the code says success. `doing`: "the cache flush".
inline void check_cuda(cudaError_t code, const std::string& doing, const std::string& mend) {
  if (code != cudaSuccess) {
    throw SystemError(doing + ": " + cudaGetErrorString(code) + " (CUDA)", mend);
  }
}

}  // namespace perfgate
