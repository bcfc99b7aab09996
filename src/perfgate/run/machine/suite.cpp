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
