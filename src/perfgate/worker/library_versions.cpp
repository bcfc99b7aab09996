#include "perfgate/worker/library_versions.h"

#include <ATen/Version.h>
#include <dlfcn.h>

#include <cstddef>

#include "perfgate/workloads/libtorch_build.h"

namespace perfgate {
namespace {

// What a library says that LibTorch has loaded; 0: it has none.
std::size_t number_from(const char* function) {
  auto* const found = reinterpret_cast<std::size_t (*)()>(dlsym(RTLD_DEFAULT, function));
  return found == nullptr ? 0 : found();
}

}  // namespace

std::string library_version(const std::string& text) {
  const auto word_behind = [&](const std::string& mark) {
    const auto at = text.find(mark);
    return at == std::string::npos
               ? ""
               : text.substr(at + mark.size(),
                             text.find_first_of(" )\n", at + mark.size()) - at - mark.size());
  };
  const std::string version =
      text.find("Version ") != std::string::npos ? word_behind("Version ") : word_behind(" v");
  const std::string commit = word_behind("Git Hash ");
  return version + (commit.empty() ? "" : " " + commit.substr(0, 8));
}

std::map<std::string, std::string> library_versions() {
  const LibTorchBuild& libtorch = libtorch_build();
  std::map<std::string, std::string> out = {{"libtorch", libtorch.version},
                                            {"libtorch_folder", libtorch.folder.string()},
                                            {"cpu_capability", at::get_cpu_capability()}};
  if (!libtorch.commit.empty()) {
    out["libtorch_commit"] = libtorch.commit;
  }
  for (const auto& [name, text] :
       {std::pair{"onednn", at::get_mkldnn_version()}, {"mkl", at::get_mkl_version()}}) {
    if (const auto version = library_version(text); !version.empty()) {
      out[name] = version;
    }
  }
  for (const auto& [name, function] :
       {std::pair{"cudnn", "cudnnGetVersion"}, {"cublas_lt", "cublasLtGetVersion"}}) {
    if (const auto number = number_from(function); number > 0) {
      out[name] = std::to_string(number);
    }
  }
  return out;
}

}  // namespace perfgate
