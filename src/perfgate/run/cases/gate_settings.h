#pragma once
// What a run of the gate is asked to do, as the command line and the environment said it.

#include <set>
#include <string>
#include <vector>

#include "perfgate/run/cli/options.h"

namespace perfgate {

/// What a run over cases is asked to do.
struct GateSettings {
  Selection selection;
  /// The cases that share the false-alarm budget: a night's, and what else is selected. Without any
  /// all of the baseline's.
  std::set<std::string> night;
  Refresh refresh;
  Paths paths;
  bool require_baseline = false;  ///< NO_BASELINE fails
  bool strict_kernels = false;    ///< other kernels than recorded fail, however fast
  bool write_traces = false;      ///< a Chrome trace of each case, beside the results
  double inject_slowdown = 0;     ///< percent
  double canaries = 0;            ///< percent of the cases that are gated once more
  TableOrder sort = TableOrder::kAsGated;
  std::vector<std::string> argv;  ///< as the program was called
  Suite suite;
};

}  // namespace perfgate
