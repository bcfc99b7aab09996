#include "perfgate/workloads/attention/sdp_backend.h"

#include <ATen/Context.h>

namespace perfgate::attention {
namespace {

void allow(bool flash, bool efficient, bool cudnn, bool math) {
  auto& context = at::globalContext();
  context.setSDPUseFlash(flash);
  context.setSDPUseMemEfficient(efficient);
  context.setSDPUseCuDNN(cudnn);
  context.setSDPUseMath(math);
}

}  // namespace

SdpBackendGuard::SdpBackendGuard(SdpBackend only)
    : flash_(at::globalContext().userEnabledFlashSDP()),
      efficient_(at::globalContext().userEnabledMemEfficientSDP()),
      cudnn_(at::globalContext().userEnabledCuDNNSDP()),
      math_(at::globalContext().userEnabledMathSDP()) {
  const bool any = only == SdpBackend::kFused;
  allow(any || only == SdpBackend::kFlash, any || only == SdpBackend::kEfficient,
        any || only == SdpBackend::kCudnn, only == SdpBackend::kMath);
}

SdpBackendGuard::~SdpBackendGuard() { allow(flash_, efficient_, cudnn_, math_); }

}  // namespace perfgate::attention
