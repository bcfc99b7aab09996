#pragma once
// The builds of a bisection that were made, each when it is first asked for.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/process/launcher.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/compare/pair_taker.h"

namespace perfgate {

/// A build whose workers can be started, or why there is none.
struct MadeBuild {
  std::unique_ptr<Launcher> launcher;  ///< null: it could not be made
  std::string program;                 ///< its path, as it is shown
  std::string why_not;
};

class MadeBuilds {
 public:
  /// Borrows the names and the console.
  MadeBuilds(const std::vector<std::string>& names,
             std::function<MadeBuild(const std::string& name)> make, Console& console)
      : names_(names), make_(std::move(make)), console_(console) {}

  /// Makes the build unless it is made, and sees that it can be measured; says either. Null: it is
  /// passed over, with its reason, or this was interrupted.
  PairedBuild* ready(std::size_t place);
  /// One that is ready.
  PairedBuild& at(std::size_t place) { return builds_.at(place); }
  /// Takes the processes of all builds off the device.
  void stop_workers();

 private:
  const std::vector<std::string>& names_;
  std::function<MadeBuild(const std::string&)> make_;
  Console& console_;
  std::vector<std::unique_ptr<Launcher>> launchers_;
  std::map<std::size_t, PairedBuild> builds_;
};

}  // namespace perfgate
