#pragma once
// Makes a build of a list's line, by a command of the user's. A command that makes all builds in
// one folder would have a bisection measure the last one under the names of all.

#include <filesystem>
#include <map>
#include <string>

#include "perfgate/run/machine/suite.h"

namespace perfgate {

/// A gate that can be started, or why there is none.
struct MadeProgram {
  std::filesystem::path program;
  std::string why_not;  ///< empty: it was made
};

class BuildMaker {
 public:
  /// `suite`: whose program is wanted. `command`: for /bin/sh, which gets the name as its argument;
  /// empty: a name is a build. `log`: where its error output goes.
  BuildMaker(Suite suite, std::string command, std::filesystem::path log)
      : suite_(std::move(suite)), command_(std::move(command)), log_(std::move(log)) {}

  /// Throws UsageError where it is the program of another name too.
  MadeProgram make(const std::string& name);

 private:
  [[nodiscard]] MadeProgram run(const std::string& name) const;

  Suite suite_;
  std::string command_;
  std::filesystem::path log_;
  std::map<std::filesystem::path, std::string> names_;  ///< by the program
};

}  // namespace perfgate
