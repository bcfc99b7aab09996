#pragma once
// perfgate's own flags. Every flag has an environment twin (--refresh is PERFGATE_REFRESH), since
// ctest cannot pass flags to its tests before 4.4. What neither perfgate nor GoogleTest knows is an
// error: GoogleTest itself ignores a misspelt --gtest flag and exits 0.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/process/launcher.h"
#include "perfgate/run/cli/against_options.h"
#include "perfgate/run/cli/bisect_options.h"
#include "perfgate/run/cli/command_options.h"
#include "perfgate/run/machine/suite.h"

namespace perfgate {

/// Which cases a run is of.
struct Selection {
  std::string case_glob;  ///< by key, several with commas; empty: what is a night's
  std::string family;     ///< one family; empty: all
  bool missing = false;   ///< only cases that the baseline does not have
  bool recorded = false;  ///< only cases that it has
  bool learning = false;  ///< of these, only those of which this device has too few sessions
  int shard = 0;          ///< which part of the rest this process has, of how many (selection.h)
  int shards = 1;
  /// What the environment selects that nobody asked for on a command line, as "NAME=VALUE ..."; a
  /// run of it is partial. run.sh, which can pass flags to ctest's tests in no other way, says so
  /// by PERFGATE_CALLER.
  std::string environment;
};

/// A slowdown that a refresh may take for the new normal.
struct Acceptance {
  std::string glob;  ///< of case keys
  std::string reason;
};

/// What a refresh records.
struct Refresh {
  bool wanted = false;             ///< record a session instead of judging
  std::string reason;              ///< why this session is recorded; of first and faster cases
  std::vector<Acceptance> accept;  ///< which slower cases it takes, and why
};

/// The folders that a run reads and writes, and the file that its table is also appended to.
struct Paths {
  std::filesystem::path baselines;
  std::filesystem::path results;
  std::filesystem::path history;   ///< what one night leaves for the next
  std::filesystem::path progress;  ///< empty: none
  std::filesystem::path night;     ///< the cases of all processes of a night; empty: of this one
};

enum class Colour { kAuto, kAlways, kNever };

enum class TableOrder {
  kAsGated,  ///< not once more: its lines were printed as the cases were gated
  kChange,   ///< once more, what changed most first
};

struct Options {
  Selection selection;
  Refresh refresh;
  Paths paths;
  Command command;
  Against against;
  Bisect bisect;
  WorkerSettings workers;         ///< all but the device, which is known later
  std::string device;             ///< "cpu", "cuda", "cuda:N" or "cuda:<uuid>"
  std::string device_id;          ///< of a CPU, instead of its machine-id; empty: that
  bool require_baseline = false;  ///< NO_BASELINE fails
  bool profile = false;           ///< print each case's kernels behind the table, and write traces
  bool strict_kernels = false;    ///< other kernels than recorded fail, however fast
  double inject_slowdown = 0;     ///< percent of extra work injected in every timed body
  double canaries = 0;            ///< percent of the cases that are gated once more
  Colour colour = Colour::kAuto;
  int columns = 0;                         ///< in which lines fit; 0: those of the terminal
  TableOrder sort = TableOrder::kAsGated;  ///< in which the table is printed at the end
  std::vector<std::string> argv;           ///< as it was called
  Suite suite;
};

struct ParsedOptions {
  Options options;
  std::vector<std::string> googletest;  ///< argv[0] and the flags that are GoogleTest's
  std::optional<std::string> help;      ///< --help was asked for: print this and exit 0
};

/// The device that CTest gave this test, from its environment variable CTEST_RESOURCE_GROUP_0_GPUS
/// ("id:gpu_b398e28c_...,slots:1"): "cuda:gpu_b398e28c_..."; "cuda" where it gave none.
std::string device_from_ctest(const char* resources);

/// "GLOB:REASON". Throws UsageError where one of them is missing.
Acceptance acceptance_from(const std::string& text);

/// Throws UsageError on anything unknown, on values out of range, and on flags that exclude each
/// other.
ParsedOptions parse_options(int argc, const char* const* argv, const Suite& suite = {});

}  // namespace perfgate
