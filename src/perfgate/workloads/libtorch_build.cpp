#include "perfgate/workloads/libtorch_build.h"

#include <link.h>
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

// The folder that has the lib/ of LibTorch's operators. By the list of what is loaded: the address
// of a function may be one of the program's own, which leads to it.
std::filesystem::path loaded_from() {
  std::filesystem::path out;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* found) {
        const std::filesystem::path path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (!path.filename().string().starts_with("libtorch_cpu.so")) {
          return 0;
        }
        *static_cast<std::filesystem::path*>(found) =
            std::filesystem::weakly_canonical(path).parent_path().parent_path();
        return 1;
      },
      &out);
  return out;
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
