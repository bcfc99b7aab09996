#pragma once
// Compiled packages as a gate finds them: the folder that they lie in, and what this build would
// make them from.

#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace perfgate {

struct Packages {
  Packages() = default;
  Packages(std::filesystem::path in) : folder(std::move(in)) {}
  Packages(const char* in) : folder(in) {}
  Packages(const std::string& in) : folder(in) {}

  std::filesystem::path folder;
  /// SHA-256 of each Python program, by the path that a Package names it by.
  std::map<std::string, std::string> programs = {};
  std::string make_command = {};  ///< for whoever lacks one; may begin with a sentence of its own
};

}  // namespace perfgate
