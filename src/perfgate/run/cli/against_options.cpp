#include "perfgate/run/cli/against_options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

using Variables = std::map<std::string, std::string>;

// Whose variable it is, and the rest; null where the text does not say.
std::pair<Variables*, std::string> side_of(const std::string& text, Against& against) {
  for (const auto& [prefix, side] :
       {std::pair<std::string, Variables*>("before:", &against.variables_before),
        std::pair<std::string, Variables*>("now:", &against.variables_now)}) {
    if (text.rfind(prefix, 0) == 0) {
      return {side, text.substr(prefix.size())};
    }
  }
  return {nullptr, text};
}

// What a worker would not get, or not keep: nothing would be compared.
void refuse_ours(const std::string& name) {
  if (name.rfind("PERFGATE_", 0) == 0 || name.rfind("CUDA_VISIBLE_DEVICES", 0) == 0 ||
      name == "CUDA_DEVICE_ORDER") {
    throw UsageError("--against_env must not set " + name,
                     "both builds are compared on one device, by one perfgate's flags");
  }
  if (name.ends_with("NUM_THREADS") || name == "OMP_THREAD_LIMIT") {
    throw UsageError(
        "--against_env must not set " + name + ": it would change nothing",
        "perfgate measures every case on one thread, whatever its variables say; a case "
        "that is to use more calls at::set_num_threads itself");
  }
}

}  // namespace

void declare_against(CLI::App& app, Against& against, std::vector<std::string>& variables) {
  app.add_option("--against", against.program,
                 "compare with this program of another build (or build folder) instead of with a\n"
                 "baseline: both are measured in alternation, and what is slower here than there\n"
                 "fails")
      ->type_name("PROGRAM");
  app.add_option(
         "--against_env", variables,
         "a variable that one side's processes alone get (several are possible): now: is this\n"
         "program's side, before: the one that it is compared with; without --against, that is\n"
         "this same program")
      ->type_name("now:NAME=VALUE|before:NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--pairs", against.most_pairs,
                 "with --against: measure a case that is undecided by at most so many pairs of\n"
                 "processes; with --bisect: measure at most so many in all (without it, what the\n"
                 "policy says)")
      ->type_name("N")
      ->check(CLI::Range(2, 10000).description(""));
}

void add_variables(const std::vector<std::string>& texts, Against& against) {
  for (const auto& text : texts) {
    if (!is_plain(text) || text.find('\n') != std::string::npos) {
      throw UsageError("--against_env holds control characters or several lines",
                       "say it in one line");
    }
    const auto [side, assignment] = side_of(text, against);
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--against_env=" + text + " is not before:NAME=VALUE or now:NAME=VALUE",
                       "for example --against_env=now:ONEDNN_MAX_CPU_ISA=AVX2");
    }
    const std::string name = assignment.substr(0, equals);
    refuse_ours(name);
    if (side == nullptr) {
      throw UsageError("--against_env=" + text + " does not say which side gets it",
                       "to see what it does to this build, --against_env=now:" + text +
                           "; to give it to what this build is compared with, "
                           "--against_env=before:" +
                           text);
    }
    (*side)[name] = assignment.substr(equals + 1);
  }
}

}  // namespace perfgate
