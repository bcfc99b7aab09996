#include "perfgate/backends/backend.h"

#include "perfgate/backends/device_choice.h"
#include "perfgate/core/errors.h"

namespace perfgate {

Backend make_backend(const std::string& name) {
  auto device = make_device(name);
  Backend out = device->identity().kind == "cuda" ? make_cuda_backend() : make_cpu_backend();
  out.device = std::move(device);
  return out;
}

#ifndef PERFGATE_CUDA
Backend make_cuda_backend() {
  throw UsageError("no GPU can be used: perfgate was built without a CUDA toolkit",
                   "--device=cpu is what it has");
}
#endif

}  // namespace perfgate
