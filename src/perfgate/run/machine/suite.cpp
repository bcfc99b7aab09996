#include "perfgate/run/machine/suite.h"

#include <algorithm>

#include "perfgate/core/errors.h"
#include "perfgate/core/shell.h"

namespace perfgate {

std::string make_packages_command(const Suite& suite) {
  const std::string command = "cmake --build " + shell_word(suite.build.string()) + " --target " +
                              shell_word(suite.packages_target);
  return suite.python.empty()
             ? "configure with -DPERFGATE_PYTHON=..., a Python that has this LibTorch, then " +
                   command
             : command;
}

std::string left_out_text(const Suite& suite) {
  if (suite.left_out.empty()) {
    return "";
  }
  std::string out;
  for (const auto& family : suite.left_out) {
    out += (out.empty() ? "" : ", ") + family;
  }
  return "  left out of this build, and not gated: " + out + "\n";
}

bool is_left_out(const Suite& suite, const std::string& family) {
  return std::find(suite.left_out.begin(), suite.left_out.end(), family) != suite.left_out.end();
}

void require_built(const Suite& suite, const std::string& family) {
  if (is_left_out(suite, family)) {
    throw UsageError(
        "this build leaves out the family \"" + family + "\"",
        "cmake -DPERFGATE_FAMILIES=all " + shell_word(suite.build.string()) + ", then build it");
  }
}

void require_gated(const Suite& suite, const std::string& family) {
  const auto& families = suite.families;
  if (!families.empty() && std::find(families.begin(), families.end(), family) == families.end()) {
    throw UsageError("no test of CTest gates the family \"" + family + "\"",
                     "name it in FAMILIES of perfgate_add_gate(" + suite.name +
                         " ...), or begin "
                         "its cases' keys with another");
  }
}

}  // namespace perfgate
