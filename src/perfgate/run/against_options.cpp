#include "perfgate/run/against_options.h"

#include <CLI/CLI.hpp>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {

void declare_against(CLI::App& app, Against& against, std::vector<std::string>& variables) {
  app.add_option("--against", against.program,
                 "compare with this program of another build (or build folder) instead of with a\n"
                 "baseline: both are measured in alternation, and what is slower here than there\n"
                 "fails")
      ->type_name("PROGRAM");
  app.add_option("--against_env", variables,
                 "a variable that the other side's processes alone get (several are possible);\n"
                 "without --against, the other side is this same program")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--pairs", against.most_pairs,
                 "with --against: measure a case that is undecided by at most so many pairs of\n"
                 "processes; with --bisect: measure at most so many in all (without it, what the\n"
                 "policy says)")
      ->type_name("N")
      ->check(CLI::Range(2, 10000).description(""));
}

std::map<std::string, std::string> variables_from(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> out;
  for (const auto& text : texts) {
    if (!is_plain(text) || text.find('\n') != std::string::npos) {
      throw UsageError("--against_env holds control characters or several lines",
                       "say it in one line");
    }
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--against_env=" + text + " is not NAME=VALUE",
                       "for example --against_env=ONEDNN_MAX_CPU_ISA=AVX2");
    }
    const std::string name = text.substr(0, equals);
    if (name.rfind("PERFGATE_", 0) == 0 || name.rfind("CUDA_VISIBLE_DEVICES", 0) == 0) {
      throw UsageError("--against_env must not set " + name,
                       "both builds are compared on one device, by one perfgate's flags");
    }
    out[name] = text.substr(equals + 1);
  }
  return out;
}

}  // namespace perfgate
