#pragma once
// Which operators of LibTorch a body calls, and what oneDNN and MKL run for them. The libraries say
// it on the standard output, which is therefore taken while a trace runs.

#include <memory>

#include "perfgate/measure/kernel_trace.h"

namespace perfgate {

/// One trace a process at a time. An operator's implementation is the instruction set that
/// LibTorch's own kernels are dispatched to; its time is without the operators that it calls, and
/// with the library's calls.
std::unique_ptr<KernelTracer> make_cpu_tracer();

}  // namespace perfgate
