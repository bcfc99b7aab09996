#include "perfgate/run/cli/bisect_options.h"

#include <CLI/CLI.hpp>
#include <set>
#include <sstream>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {

void declare_bisect(CLI::App& app, Bisect& bisect) {
  app.add_option("--bisect", bisect.list,
                 "find the first slow build of those in this file, oldest first, one a line: each\n"
                 "a perfgate or a build folder; the selected case that differs most clearly\n"
                 "between the oldest and the newest is measured")
      ->type_name("FILE");
  app.add_option("--bisect_make", bisect.make,
                 "with --bisect: the lines are names, say commits; this command, called with one\n"
                 "of them, makes that build in a folder of its own and prints the folder on its\n"
                 "last line (a build that it fails to make is passed over)")
      ->type_name("COMMAND");
}

std::vector<std::string> read_builds(const std::filesystem::path& list) {
  const std::string where = "--bisect=" + list.string();
  if (!std::filesystem::is_regular_file(list)) {
    throw UsageError(where + ": no such file", "name a file with a build a line, oldest first");
  }
  std::istringstream lines(read_file(list));
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') {
      continue;
    }
    const std::string build = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    if (!is_plain(build)) {
      throw UsageError(where + ": a line holds control characters", "name a build a line");
    }
    if (!seen.insert(build).second) {
      throw UsageError(where + " has " + build + " twice",
                       "name each build once, in the order in which they were made");
    }
    out.push_back(build);
  }
  if (out.size() < 2) {
    throw UsageError(where + " has " + std::to_string(out.size()) + " builds",
                     "name two or more, oldest first, one a line");
  }
  return out;
}

}  // namespace perfgate
