#include "perfgate/workloads/fastrnns/cudnn_guard.h"

#include <ATen/Context.h>

namespace perfgate::fastrnns {

CudnnGuard::CudnnGuard(bool allowed) : before_(at::globalContext().userEnabledCuDNN()) {
  at::globalContext().setUserEnabledCuDNN(allowed);
}

CudnnGuard::~CudnnGuard() { at::globalContext().setUserEnabledCuDNN(before_); }

}  // namespace perfgate::fastrnns
