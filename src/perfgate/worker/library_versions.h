#pragma once
// Which libraries LibTorch calls here.

#include <map>
#include <string>

namespace perfgate {

/// Versions of oneDNN, MKL, cuDNN and cuBLASLt as far as this LibTorch has them, and the
/// instruction set that its own CPU kernels were chosen for (`cpu_capability`).
std::map<std::string, std::string> library_versions();

}  // namespace perfgate
