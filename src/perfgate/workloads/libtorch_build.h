#pragma once
// Which LibTorch this process has loaded. Its headers say "2.14.0" of every nightly of a season and
// of the builds for CPUs and GPUs alike; the files beside its libraries tell them apart.

#include <filesystem>
#include <string>

namespace perfgate {

struct LibTorchBuild {
  std::string version;           ///< "2.14.0.dev20261127+cpu"
  std::string commit;            ///< of PyTorch, its first 12 digits; empty: not said
  std::filesystem::path folder;  ///< what holds its lib/
};

/// Of the libraries that are loaded here.
const LibTorchBuild& libtorch_build();

/// Of a LibTorch in `folder`: a Python package says it in version.py, an archive of the libraries
/// in build-version and build-hash. One that says neither has the version `otherwise`.
LibTorchBuild libtorch_build_in(const std::filesystem::path& folder, const std::string& otherwise);

}  // namespace perfgate
