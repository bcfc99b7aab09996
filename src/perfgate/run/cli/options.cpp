#include "perfgate/run/cli/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/numbers.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/core/version.h"
#include "perfgate/run/cli/against_options.h"
#include "perfgate/run/cli/bisect_options.h"
#include "perfgate/run/cli/environment_selection.h"
#include "perfgate/run/cli/help_text.h"
#include "perfgate/run/cli/number_flag.h"
#include "perfgate/run/cli/possible_options.h"
#include "perfgate/run/machine/host.h"
#include "perfgate/run/machine/other_build.h"
#include "perfgate/run/machine/run_folder.h"

namespace perfgate {
namespace {

constexpr std::array<std::string_view, 17> kGoogleTestFlags = {"also_run_disabled_tests",
                                                               "break_on_failure",
                                                               "brief",
                                                               "catch_exceptions",
                                                               "color",
                                                               "death_test_style",
                                                               "fail_fast",
                                                               "filter",
                                                               "flagfile",
                                                               "list_tests",
                                                               "output",
                                                               "print_time",
                                                               "random_seed",
                                                               "repeat",
                                                               "shuffle",
                                                               "stream_result_to",
                                                               "throw_on_failure"};

std::string environment_twin(const std::string& flag) {
  std::string out = "PERFGATE_";
  for (const char c : flag) {
    out += upper(c);
  }
  return out;
}

bool is_googletest_flag(const std::string& argument) {
  constexpr std::string_view kPrefix = "--gtest_";
  if (argument.rfind(kPrefix, 0) != 0) {
    return false;
  }
  const std::string name = argument.substr(kPrefix.size(), argument.find('=') - kPrefix.size());
  return std::find(kGoogleTestFlags.begin(), kGoogleTestFlags.end(), name) !=
         kGoogleTestFlags.end();
}

template <class Value>
CLI::Option* add(CLI::App& app, const std::string& flag, Value& target, const std::string& text) {
  return app.add_option("--" + flag, target, text)
      ->envname(environment_twin(flag))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_switch(CLI::App& app, const std::string& flag, bool& target, const std::string& text) {
  app.add_flag("--" + flag, target, text)->envname(environment_twin(flag));
}

// What CLI11 has no type for: not taken apart yet.
struct Texts {
  std::vector<std::string> accept;
  std::vector<std::string> variables;
};

void declare(CLI::App& app, Options& options, Texts& texts) {
  add(app, "case", options.selection.case_glob,
      "select cases by key (* also matches /; several globs with commas, or the flag once more);\n"
      "without it, the nightly ones. What runs on request alone a glob selects where it matches\n"
      "nothing else")
      ->type_name("GLOB")
      ->join(',');
  add(app, "family", options.selection.family, "select one family")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  add(app, "device", options.device, "cpu, cuda, cuda:N or cuda:<uuid>")
      ->type_name("DEVICE")
      ->capture_default_str();
  add(app, "device_id", options.device_id,
      "the id of this machine, where others have its /etc/machine-id as well; of --device=cpu")
      ->type_name("ID");
  add_switch(app, "refresh", options.refresh.wanted, "record a session in the baseline");
  add(app, "reason", options.refresh.reason, "why this session is recorded; faster cases need one")
      ->type_name("TEXT");
  app.add_option("--accept", texts.accept,
                 "with --refresh: take these slower cases for the new normal, and why (several are "
                 "possible; in the environment one a line)")
      ->envname(environment_twin("accept"))
      ->delimiter('\n')
      ->type_name("GLOB:REASON");
  add(app, "baselines", options.paths.baselines, "folder of baseline files")
      ->type_name("DIR")
      ->capture_default_str();
  add(app, "results", options.paths.results,
      "folder for results files, one a run; without it, a new one in results of the build folder,\n"
      "and for --merge and --export the newest there")
      ->type_name("DIR");
  add(app, "packages", options.workers.packages,
      "folder of compiled packages; with --against=PROGRAM the newer build's, the older one's lie "
      "beside its program")
      ->type_name("DIR")
      ->capture_default_str();
  add(app, "history", options.paths.history, "folder of what one night leaves for the next")
      ->type_name("DIR")
      ->capture_default_str();
  add_switch(app, "missing", options.selection.missing,
             "select only cases that the baseline does not have");
  add_switch(app, "recorded", options.selection.recorded,
             "select only cases that the baseline has");
  add_switch(app, "learning", options.selection.learning,
             "select only cases of which the baseline has one or two sessions of this device");
  add_switch(app, "require_baseline", options.require_baseline, "NO_BASELINE fails");
  add_switch(
      app, "profile", options.profile,
      "print what each case ran behind the table (kernels, categories, shares), and write a\n"
      "Chrome trace of each to the results folder");
  add_switch(app, "strict_kernels", options.strict_kernels,
             "a case fails that runs other kernels than recorded, however fast");
  add(app, "inject_slowdown", options.inject_slowdown,
      "inject extra work into every timed body, in percent of its own time")
      ->type_name("PERCENT")
      ->check(number_between(0.0, 1000.0));
  add(app, "canaries", options.canaries,
      "gate so many percent of the cases that passed once more, whose turn it is by the date:\n"
      "half with injected work that must be found, half as they are; else the gate is unfit")
      ->type_name("PERCENT")
      ->check(number_between(0.0, 100.0));
  add(app, "progress", options.paths.progress, "also append the table to this file")
      ->type_name("FILE");
  add(app, "night", options.paths.night,
      "a file of the keys, one a line, of a night that several processes gate: they print one\n"
      "heading a device and count through")
      ->type_name("FILE");
  const std::map<std::string, Colour> colours = {
      {"auto", Colour::kAuto}, {"always", Colour::kAlways}, {"never", Colour::kNever}};
  add(app, "color", options.colour, "auto, always or never: colours in the table")
      ->type_name("WHEN")
      ->transform(CLI::CheckedTransformer(colours).description(""));
  add(app, "columns", options.columns,
      "break longer lines; without it, those that do not fit the terminal")
      ->type_name("N")
      ->check(number_between(40, 10'000));
  const std::map<std::string, TableOrder> orders = {{"gated", TableOrder::kAsGated},
                                                    {"change", TableOrder::kChange}};
  add(app, "sort", options.sort,
      "gated or change: with change, print the table once more, what got slower first")
      ->type_name("ORDER")
      ->transform(CLI::CheckedTransformer(orders).description(""));
  add(app, "worker_timeout", options.workers.timeout_s,
      "kill a worker that has not reported after so many seconds; where its body takes over "
      "0.5 s, four times what its runs are planned to take is added")
      ->type_name("SECONDS")
      ->check(number_between(0.1, 86400.0))
      ->default_str(decimal_text(options.workers.timeout_s));
  declare_commands(app, options.command);
  declare_against(app, options.against, texts.variables);
  declare_bisect(app, options.bisect);
}

// Reasons are shown wherever a baseline is: on one line, and as they are.
void require_plain(const std::string& flag, const std::string& text) {
  if (!is_plain(text) || text.find('\n') != std::string::npos) {
    throw UsageError(flag + " holds control characters or several lines", "say it in one line");
  }
}

// Results, baselines and commands to repeat name them, and JSON holds no other bytes than UTF-8.
void require_plain_names(const Options& options) {
  const Paths& paths = options.paths;
  for (const auto& [flag, name] : std::initializer_list<std::pair<const char*, std::string>>{
           {"--baselines", paths.baselines.string()},
           {"--results", paths.results.string()},
           {"--history", paths.history.string()},
           {"--progress", paths.progress.string()},
           {"--night", paths.night.string()},
           {"--packages", options.workers.packages.string()},
           {"--device_id", options.device_id}}) {
    if (!is_plain(name)) {
      throw UsageError(std::string(flag) + "=" + plain_line(name) +
                           " holds bytes that are not UTF-8, or characters that cannot be shown",
                       "give it another name; what cannot be shown stands here as ?");
    }
  }
}

// CLI11 would take the next argument for the value: --case=$UNSET must not swallow a flag.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.size() > 2 && argument.rfind("--", 0) == 0 && argument.back() == '=' &&
        argument.find('=') == argument.size() - 1) {
      throw UsageError(argument + " has no value", "give it one, or leave the flag out");
    }
  }
}

void refuse_leftovers(const std::vector<std::string>& leftovers) {
  for (const auto& argument : leftovers) {
    if (!is_googletest_flag(argument)) {
      throw UsageError("unknown flag " + argument,
                       "perfgate --help lists what is possible, GoogleTest's flags included");
    }
  }
}

// A comparison runs no tests; only which cases it is of is GoogleTest's to say as well.
void refuse_what_runs_tests(const std::vector<std::string>& flags) {
  const auto other = std::find_if(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.rfind("--gtest_filter=", 0) != 0;
  });
  if (other != flags.end()) {
    throw UsageError(
        "a comparison of builds takes no flag of GoogleTest's but its filter: " + *other,
        "select cases by --case, --family and --gtest_filter");
  }
}

}  // namespace

std::string device_from_ctest(const char* resources) {
  const std::string text = resources == nullptr ? "" : resources;
  constexpr std::string_view kId = "id:";
  if (text.rfind(kId, 0) != 0) {
    return "cuda";
  }
  return "cuda:" + text.substr(kId.size(), text.find(',') - kId.size());
}

Acceptance acceptance_from(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw UsageError("--accept=" + text + " is not GLOB:REASON",
                     "for example --accept='ops/mm/*:oneDNN 3.9 chooses another kernel'");
  }
  require_plain("--accept", text);
  return {text.substr(0, colon), text.substr(colon + 1)};
}

ParsedOptions parse_options(int argc, const char* const* argv, const Suite& suite) {
  ParsedOptions out;
  Options& options = out.options;
  options.suite = suite;
  options.workers.program = std::filesystem::read_symlink("/proc/self/exe");
  const auto build = options.workers.program.parent_path().parent_path();
  options.device = default_device();
  options.paths.baselines = suite.baselines;
  options.workers.packages = build / "packages";
  options.paths.history = build / "history";
  options.argv.assign(argv, argv + argc);

  refuse_empty_values(argc, argv);
  CLI::App app{std::string("perfgate ") + kVersion +
               ": a performance-regression gate for LibTorch"};
  app.set_help_flag("-h,--help", "print this and end");
  app.footer(help_footer());
  app.allow_extras();
  Texts texts;
  declare(app, options, texts);
  try {
    const PointInNumbers cli11_uses_strtold;
    app.parse(argc, const_cast<char**>(argv));
  } catch (const CLI::CallForHelp&) {
    out.help = app.help();
    return out;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what(), "perfgate --help lists what is possible");
  }
  std::transform(texts.accept.begin(), texts.accept.end(),
                 std::back_inserter(options.refresh.accept), acceptance_from);
  add_variables(texts.variables, options.against);
  if (!options.against.program.empty()) {
    options.against.program = program_of(options.against.program, suite, "--against");
  }
  require_plain("--reason", options.refresh.reason);
  const auto leftovers = app.remaining();
  refuse_leftovers(leftovers);
  if (options.paths.results.empty()) {
    const bool reads = options.command.merge || !options.command.exports.empty();
    options.paths.results = reads ? newest_run(build / "results") : build / "results" / run_name();
  }
  if (options.device == "cuda") {
    options.device = device_from_ctest(std::getenv("CTEST_RESOURCE_GROUP_0_GPUS"));
  }
  require_plain_names(options);
  require_possible(options);
  if (options.against.wanted() || options.bisect.wanted()) {
    refuse_what_runs_tests(leftovers);
  }
  options.selection.environment = environment_selection(argc, argv);
  out.googletest = {argv[0]};
  out.googletest.insert(out.googletest.end(), leftovers.begin(), leftovers.end());
  return out;
}

}  // namespace perfgate
