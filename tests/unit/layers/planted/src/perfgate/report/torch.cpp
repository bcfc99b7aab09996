#include <ATen/core/Tensor.h>
#include <cuda_runtime.h>
