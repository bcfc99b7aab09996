#pragma once
// Which LibTorch this is, and which libraries it calls here.

#include <map>
#include <string>

namespace perfgate {

/// LibTorch's version, commit (where it says one) and folder; versions of oneDNN, MKL, cuDNN and
/// cuBLASLt as far as it has them; and the instruction set that its own CPU kernels were chosen for
/// (`cpu_capability`).
std::map<std::string, std::string> library_versions();

/// "3.7.1" and, where there is one, the commit's start, of what a library says of itself: "Intel(R)
/// MKL-DNN v3.7.1 (Git Hash 8d263e693366...)", "... Version 2024.2-Product Build ...". Empty where
/// it says neither.
std::string library_version(const std::string& text);

}  // namespace perfgate
