#include "perfgate/run/machine/session_settings.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace perfgate {
namespace {

constexpr std::array<std::string_view, 12> kFacts = {
    "cpu_capability", "cpu_quota",           "cublas_lt", "cudnn",  "ecc",
    "governor",       "libtorch_commit",     "mkl",       "onednn", "perfgate",
    "power_limit_w",  "transparent_hugepage"};

constexpr std::array<std::string_view, 19> kPrefixes = {
    "AOTI_",   "ATEN_",     "CUBLAS",     "CUDA_",   "CUDNN_", "DISABLE_ADDMM", "DNNL_",
    "GOMP_",   "KMP_",      "LD_PRELOAD", "MALLOC_", "MKL_",   "NVIDIA_TF32",   "OMP_",
    "ONEDNN_", "OPENBLAS_", "PYTORCH_",   "TORCH_",  "TRITON_"};

// Of those: where things lie, which version they have, and what nobody else may read.
constexpr std::array<std::string_view, 6> kPlaces = {"_PATH", "_DIR",     "_HOME",
                                                     "_ROOT", "_VERSION", "_LIST"};
constexpr std::array<std::string_view, 5> kSecrets = {"CREDENTIAL", "KEY", "PASSWORD", "SECRET",
                                                      "TOKEN"};
// Every worker gets these from perfgate.
constexpr std::array<std::string_view, 4> kOurs = {"CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES",
                                                   "MKL_NUM_THREADS", "OMP_NUM_THREADS"};

template <std::size_t N, class Test>
bool holds_any(const std::array<std::string_view, N>& texts, const Test& test) {
  return std::any_of(texts.begin(), texts.end(), test);
}

bool is_read_by_libraries(std::string_view name) {
  return holds_any(kPrefixes, [&](auto text) { return name.starts_with(text); }) &&
         !holds_any(kPlaces, [&](auto text) { return name.ends_with(text); }) &&
         !holds_any(kSecrets, [&](auto text) { return name.find(text) != name.npos; }) &&
         !holds_any(kOurs, [&](auto text) { return name == text; });
}

// As a JSON text and a terminal's line can hold it.
std::string recorded(std::string_view value) {
  constexpr std::size_t kLongest = 200;
  std::string out(value.substr(0, kLongest));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
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
      out.emplace(recorded(entry.substr(0, equals)), recorded(entry.substr(equals + 1)));
    }
  }
  return out;
}

}  // namespace perfgate
