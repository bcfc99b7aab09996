#pragma once
// What perfgate does instead of gating, and the flags that ask for it.

#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 is named so
class App;
}

namespace perfgate {

/// What is done instead of gating; nothing of it in most runs.
struct Command {
  bool merge = false;                ///< print the summary of the results folder
  std::vector<std::string> exports;  ///< "format:file[:limit]": write the results folder as that
  bool version = false;              ///< print which perfgate and LibTorch this is
  bool resource_spec = false;        ///< print CTest's resource specification
  bool list_packages = false;        ///< print what the exporter has to compile
  bool list_cases = false;           ///< print every case's key
  bool list_night = false;           ///< print the keys of what would be gated
  bool show_history = false;         ///< print what the nights' history says of a case, or of all
  std::string since;                 ///< with that: a day or a LibTorch
  std::optional<int> last = {};      ///< with that: how many nights of a case; else 20
  bool show_device = false;          ///< print the device's model, id and baseline
  std::string kernels;               ///< time packages' kernels alone: "chosen" or "all_configs"
  std::string worker;                ///< measure this case here, and print its report
  int repeat = 0;                    ///< run its body so often instead, for a profiler
  int worker_pipe = -1;              ///< be a worker that is asked on stdin and reports here
};

/// Adds their flags.
void declare_commands(CLI::App& app, Command& command);

}  // namespace perfgate
