#include "perfgate/workloads/fastrnns/precision.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>

namespace perfgate::fastrnns {

PrecisionGuard::PrecisionGuard(Precision precision) : tf32_(at::globalContext().allowTF32CuBLAS()) {
  at::globalContext().setAllowTF32CuBLAS(precision == Precision::kTf32);
}

PrecisionGuard::~PrecisionGuard() { at::globalContext().setAllowTF32CuBLAS(tf32_); }

AutocastGuard::AutocastGuard(at::DeviceType device)
    : device_(device),
      enabled_(at::autocast::is_autocast_enabled(device)),
      dtype_(at::autocast::get_autocast_dtype(device)) {
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, at::kBFloat16);
  at::autocast::increment_nesting();
}

AutocastGuard::~AutocastGuard() {
  if (at::autocast::decrement_nesting() == 0) {
    at::autocast::clear_cache();
  }
  at::autocast::set_autocast_enabled(device_, enabled_);
  at::autocast::set_autocast_dtype(device_, dtype_);
}

}  // namespace perfgate::fastrnns
