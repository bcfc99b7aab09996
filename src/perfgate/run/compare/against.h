#pragma once
// A comparison of two builds from the first look at the machine to the exit code.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/units.h"
#include "perfgate/device/device.h"
#include "perfgate/process/launcher.h"
#include "perfgate/run/cli/console.h"

namespace perfgate {

/// What is compared.
struct AgainstSettings {
  std::vector<std::string> case_keys;
  std::filesystem::path baselines;  ///< whose policy is gone by
  std::filesystem::path before;     ///< the programs, as they are shown
  std::filesystem::path now;
  std::map<std::string, std::string> variables_before;  ///< that the older build's processes get
  std::map<std::string, std::string> variables_now;     ///< that the newer build's processes get
  int most_pairs = 0;                                   ///< 0: the policy's
  double inject_slowdown = 0;                           ///< percent, in the newer build
  std::string selection;  ///< what the environment selects, which makes the run partial
  std::string commit_before = "unknown";  ///< of the suite
  std::string commit_now = "unknown";
};

/// With what. Borrows what is a reference; see GateTools.
struct AgainstTools {
  const Device& device;
  Launcher& before;
  Launcher& now;
  Console& console;
  std::function<void(Seconds)> sleep;
  std::function<Seconds()> clock;
};

/// Compares the builds and prints what it finds. Returns kFail where the newer one is slower or
/// fails where the older did not, kRefused where the machine is unfit, too much could not be
/// compared or the environment made the selection, kSkipped where nothing was judged. Throws
/// UsageError where the older build does not answer, or answers by another interface.
ExitCode compare_builds(const AgainstSettings& settings, const AgainstTools& tools);

}  // namespace perfgate
