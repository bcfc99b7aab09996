#pragma once
// Whose cases a gate has: perfgate's own, or those of a project that uses it. The CMake function
// perfgate_add_gate writes all of it (cmake/PerfgateGate.cmake).

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perfgate {

/// The name of the suite that perfgate itself has.
constexpr const char* kOwnSuite = "perfgate";

struct Suite {
  std::string name = kOwnSuite;     ///< of the program
  std::string commit = "unknown";   ///< of the project that the cases are of
  std::filesystem::path baselines;  ///< where its baselines are checked in: a folder a device
                                    ///< model, and perhaps policy.json and published/
  std::vector<std::string> families = {};  ///< that CTest gates; empty: nobody has said
  std::vector<std::string> left_out = {};  ///< that this build has not, on purpose
  /// Version of the sources that have the cases, by family.
  std::map<std::string, std::string> workloads = {};
  /// SHA-256 of the Python programs that compiled packages are made from, by path.
  std::map<std::string, std::string> programs = {};
  std::filesystem::path exporter = {};             ///< folder of perfgate's Python programs
  std::filesystem::path python = {};               ///< that has this LibTorch; empty: there is none
  std::filesystem::path build = {};                ///< folder of the CMake build
  std::filesystem::path program = "bin/perfgate";  ///< below such a folder
  std::string packages_target = {};                ///< which makes the packages there
};

/// Of the program that this is linked into. perfgate_add_gate defines it; a program that links
/// perfgate::gtest_main by hand defines its own.
Suite suite_of_this_program();

/// The command that makes compiled packages, after what has to be done first, if anything.
std::string make_packages_command(const Suite& suite);

/// The line that says what of the suite this build has not; empty where it has all.
std::string left_out_text(const Suite& suite);

/// Whether this build has not that family, on purpose.
bool is_left_out(const Suite& suite, const std::string& family);

/// Throws UsageError where this build leaves out that family, which somebody selects.
void require_built(const Suite& suite, const std::string& family);

/// Throws UsageError where CTest gates no family of this name, so that nobody would see its cases.
void require_gated(const Suite& suite, const std::string& family);

}  // namespace perfgate
