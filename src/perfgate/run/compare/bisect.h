#pragma once
// The first slow one of many builds, from the first look at the machine to the exit code.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/units.h"
#include "perfgate/device/device.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/compare/made_builds.h"

namespace perfgate {

/// What is bisected.
struct BisectSettings {
  std::vector<std::string> builds;     ///< names, oldest first; at least two
  std::vector<std::string> case_keys;  ///< of which the clearest regression is followed
  std::filesystem::path baselines;     ///< whose policy is gone by
  int most_pairs = 0;                  ///< in all; 0: the policy's
  std::string selection;  ///< what the environment selects, which makes the run partial
};

/// With what. Borrows what is a reference; see GateTools.
struct BisectTools {
  const Device& device;
  std::function<MadeBuild(const std::string& name)> make;
  Console& console;
  std::function<void(Seconds)> sleep;
  std::function<Seconds()> clock;
};

/// Compares the oldest build with the newest and, where that is slower, finds the first slow one;
/// prints each step and the answer. A build that cannot be made or measured is passed over with its
/// reason. Returns kFail where it found one, kOk where no build is slow, kRefused where that is not
/// decided, the machine is unfit, a build fails or the environment made the selection, kSkipped
/// where nothing was judged.
ExitCode bisect_builds(const BisectSettings& settings, const BisectTools& tools);

}  // namespace perfgate
