#pragma once
// The night as a whole, from the results files of its families and shards: --merge prints its
// summary, --export writes it for other tools.

#include "perfgate/core/errors.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

/// Every results file in options.paths.results as one run: prints the merged table and summary
/// where options.command.merge is set, writes each of options.command.exports, and returns the
/// night's exit code, or kOk where only files were wanted. Throws UsageError when there is no
/// results file, since an empty night has failed, and for a format that is not there.
ExitCode report_night(const Options& options);

}  // namespace perfgate
