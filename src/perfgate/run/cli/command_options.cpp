#include "perfgate/run/cli/command_options.h"

#include <CLI/CLI.hpp>

#include "perfgate/run/cli/help_text.h"
#include "perfgate/run/cli/number_flag.h"

namespace perfgate {
namespace {

// What does one thing and ends has no twin in the environment: a stray one would end every test of
// a night at once, and green.
void add_command(CLI::App& app, const std::string& flag, bool& target, const std::string& text) {
  app.add_flag("--" + flag, target, text);
}

}  // namespace

void declare_commands(CLI::App& app, Command& command) {
  add_command(app, "version", command.version,
              "print which perfgate and which LibTorch this is, and end");
  add_command(app, "merge", command.merge, "print the summary of all of --results, and end");
  app.add_option("--export", command.exports, export_help())->type_name("FORMAT:FILE[:LIMIT]");
  add_command(app, "list_cases", command.list_cases, "print the key of every case, and end");
  add_command(app, "list_night", command.list_night,
              "print the keys of what would be gated, and end");
  add_command(app, "list_packages", command.list_packages,
              "print what the exporter has to compile for the selected cases as JSON, and end");
  add_command(app, "show_history", command.show_history,
              "print how the cases that --case selects changed over the nights of --history, or\n"
              "without it the ten that got slower most, and end");
  app.add_option("--since", command.since,
                 "with --show_history: what got slower since this day (2026-11-20) or LibTorch")
      ->type_name("DAY|VERSION");
  app.add_option(
         "--last", command.last,
         "with --show_history: so many nights of a case, else 20; without --case what got slower\n"
         "in so many")
      ->type_name("N")
      ->check(number_between(1, 10'000));
  add_command(app, "show_device", command.show_device,
              "print the device's model, id and baseline, and end");
  add_command(app, "resource_spec", command.resource_spec,
              "print this machine's GPUs as CTest's --resource-spec-file wants them, and end");
  app.add_option("--kernels", command.kernels,
                 "time each kernel of the selected cases' packages by itself, and end: as it was\n"
                 "tuned, or with =all_configs in every configuration that was tried")
      ->type_name("WHICH")
      ->expected(0, 1)
      ->default_str("chosen")
      ->check(CLI::IsMember({"chosen", "all_configs"}).description(""));
  app.add_option("--worker", command.worker, "measure this one case here, print JSON, and end")
      ->type_name("KEY");
  app.add_option("--repeat", command.repeat,
                 "with --worker: only run its body so often, and print the commands by which ncu,\n"
                 "nsys or perf see the body alone")
      ->type_name("N")
      ->check(number_between(1, 1'000'000));
  app.add_option("--worker_pipe", command.worker_pipe)->group("");
}

}  // namespace perfgate
