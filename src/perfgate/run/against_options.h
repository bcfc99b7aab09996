#pragma once
// The flags of a comparison of two builds.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 is named so
class App;
}

namespace perfgate {

/// A comparison of this build with another one instead of with a baseline.
struct Against {
  std::filesystem::path program;                 ///< the older build's; empty: this one
  std::map<std::string, std::string> variables;  ///< that the older build's processes alone get
  int most_pairs = 0;                            ///< of a case; 0: the policy's

  [[nodiscard]] bool wanted() const { return !program.empty() || !variables.empty(); }
};

/// `variables`: for variables_from.
void declare_against(CLI::App& app, Against& against, std::vector<std::string>& variables);

/// "NAME=VALUE", each. Throws UsageError on anything else, and on what perfgate itself sets to tell
/// its workers where to measure.
std::map<std::string, std::string> variables_from(const std::vector<std::string>& texts);

}  // namespace perfgate
