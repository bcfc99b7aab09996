#include "perfgate/run/session_settings.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace perfgate {
namespace {

constexpr std::array<std::string_view, 9> kFacts = {
    "cpu_capability", "cublas_lt",           "cudnn", "ecc", "governor", "mkl", "onednn",
    "power_limit_w",  "transparent_hugepage"};

constexpr std::array<std::string_view, 18> kPrefixes = {
    "ATEN_",          "AOTI_", "CUBLAS",  "CUDA_",      "CUDNN_",  "DNNL_",
    "GLIBC_TUNABLES", "GOMP_", "KMP_",    "LD_PRELOAD", "MALLOC_", "MKL_",
    "NVIDIA_TF32",    "OMP_",  "ONEDNN_", "PYTORCH_",   "TORCH_",  "TRITON_"};

// Of those: where things lie, what is built for, and what every worker gets from perfgate.
constexpr std::array<std::string_view, 16> kOthers = {"CUDA_CACHE_PATH",
                                                      "CUDA_DEVICE_ORDER",
                                                      "CUDA_HOME",
                                                      "CUDA_PATH",
                                                      "CUDA_ROOT",
                                                      "CUDA_VERSION",
                                                      "CUDA_VISIBLE_DEVICES",
                                                      "CUDNN_VERSION",
                                                      "MKL_NUM_THREADS",
                                                      "MKLROOT",
                                                      "OMP_NUM_THREADS",
                                                      "PYTORCH_VERSION",
                                                      "TORCH_CUDA_ARCH_LIST",
                                                      "TORCH_DIR",
                                                      "TORCH_HOME",
                                                      "TRITON_CACHE_DIR"};

bool is_read_by_libraries(std::string_view name) {
  return std::any_of(
             kPrefixes.begin(), kPrefixes.end(),
             [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; }) &&
         std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end();
}

}  // namespace

std::map<std::string, std::string> session_settings(const std::map<std::string, std::string>& facts,
                                                    const char* const* environment) {
  std::map<std::string, std::string> out;
  for (const auto& name : kFacts) {
    if (const auto found = facts.find(std::string(name)); found != facts.end()) {
      out.insert(*found);
    }
  }
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos && is_read_by_libraries(entry.substr(0, equals))) {
      out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return out;
}

}  // namespace perfgate
