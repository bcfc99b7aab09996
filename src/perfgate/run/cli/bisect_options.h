#pragma once
// The flags of a bisection, and the list of builds that it is of.

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 is named so
class App;
}

namespace perfgate {

/// Which of a list of builds is the first slow one.
struct Bisect {
  std::filesystem::path list;  ///< file with a build a line, oldest first; empty: not asked for
  std::string make;  ///< command that makes a build of a line; empty: each line is a build

  [[nodiscard]] bool wanted() const { return !list.empty(); }
};

void declare_bisect(CLI::App& app, Bisect& bisect);

/// The list's lines but for empty ones and those that begin with #. Throws UsageError for fewer
/// than two, for one that is there twice, and for control characters.
std::vector<std::string> read_builds(const std::filesystem::path& list);

}  // namespace perfgate
