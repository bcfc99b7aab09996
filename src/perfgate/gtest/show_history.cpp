#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/report/history_text.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {

int show_history_command(const Options& options, const Backend& backend) {
  if (options.command.last && !options.command.since.empty()) {
    throw UsageError("--last and --since both say which nights", "leave one of them out");
  }
  const std::string model = backend.device->identity().model;
  std::vector<CaseNight> history;
  const std::string skipped =
      read_judged_nights(night_history_path(options.paths.history, model), history);
  const Selection& selection = options.selection;
  const std::string glob = selection.case_glob.empty() && !selection.family.empty()
                               ? selection.family + "/*"
                               : selection.case_glob;
  Console console(options);
  console.report(skipped);
  console.report(history_text(history, model,
                              {glob, options.command.since, options.command.last.value_or(20),
                               glob.empty() ? options.command.last : std::nullopt}));
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
