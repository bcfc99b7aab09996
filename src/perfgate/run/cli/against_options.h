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
  std::filesystem::path program;                        ///< the older build's; empty: this one
  std::map<std::string, std::string> variables_before;  ///< that the older build's processes get
  std::map<std::string, std::string> variables_now;     ///< that this build's processes get
  int most_pairs = 0;                                   ///< of a case; 0: the policy's

  [[nodiscard]] bool wanted() const {
    return !program.empty() || !variables_before.empty() || !variables_now.empty();
  }
};

/// `variables`: for add_variables.
void declare_against(CLI::App& app, Against& against, std::vector<std::string>& variables);

/// Takes "before:NAME=VALUE" or "now:NAME=VALUE", each. Throws UsageError on anything else, and on
/// what a worker does not get, since perfgate itself decides it: where it measures, and on how many
/// threads.
void add_variables(const std::vector<std::string>& texts, Against& against);

}  // namespace perfgate
