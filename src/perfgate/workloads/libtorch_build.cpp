#include "perfgate/workloads/libtorch_build.h"

#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <string_view>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"

namespace perfgate {
namespace {

constexpr std::size_t kCommitDigits = 12;
constexpr std::size_t kMaxBytes = 1u << 16;

// A file that is not there, or cannot be read, says nothing.
std::string text_of(const std::filesystem::path& file) {
  try {
    return std::filesystem::exists(file) ? read_file(file, kMaxBytes) : "";
  } catch (const SystemError&) {
    return "";
  }
}

// What a version or a hash may be made of, from the start of `text` on.
std::string word_at(std::string_view text) {
  constexpr std::string_view kOfVersions =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_";
  return std::string(text.substr(0, text.find_first_not_of(kOfVersions)));
}

// Of a line "name = 'value'".
std::string assigned(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; at += name.size()) {
    const auto rest = text.substr(at + name.size());
    if ((at == 0 || text[at - 1] == '\n') && rest.starts_with(" = ") && rest.size() > 4) {
      return word_at(rest.substr(4));
    }
  }
  return "";
}

std::filesystem::path loaded_from() {
  Dl_info info{};
  const auto* const address = reinterpret_cast<const void*>(&at::get_cpu_capability);
  return dladdr(address, &info) == 0 || info.dli_fname == nullptr
             ? std::filesystem::path()
             : std::filesystem::weakly_canonical(info.dli_fname).parent_path().parent_path();
}

}  // namespace

LibTorchBuild libtorch_build_in(const std::filesystem::path& folder, const std::string& otherwise) {
  const std::string python = text_of(folder / "version.py");
  LibTorchBuild out{
      python.empty() ? word_at(text_of(folder / "build-version")) : assigned(python, "__version__"),
      python.empty() ? word_at(text_of(folder / "build-hash")) : assigned(python, "git_version"),
      folder};
  out.commit = out.commit.substr(0, kCommitDigits);
  if (out.version.empty()) {
    out.version = otherwise;
  }
  return out;
}

const LibTorchBuild& libtorch_build() {
  static const LibTorchBuild build = libtorch_build_in(loaded_from(), TORCH_VERSION);
  return build;
}

}  // namespace perfgate
