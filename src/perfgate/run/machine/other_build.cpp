#include "perfgate/run/machine/other_build.h"

#include "perfgate/core/errors.h"
#include "perfgate/process/subprocess.h"

namespace perfgate {

std::filesystem::path program_of(const std::filesystem::path& build, const Suite& suite,
                                 const std::string& flag) {
  const auto program = std::filesystem::is_directory(build) ? build / suite.program : build;
  if (!std::filesystem::is_regular_file(program)) {
    throw UsageError(flag + "=" + build.string() + ": no program " + program.string(),
                     "name the " + suite.name + " of another build, or its build folder");
  }
  return std::filesystem::absolute(program);
}

std::string commit_of(const std::filesystem::path& program) {
  constexpr std::string_view kBefore = "(git ";
  ProcessRequest request;
  request.command = {program.string(), "--version"};
  const std::string text = run_process(request).output;
  const auto begin = text.find(kBefore);
  const auto end = text.find(')', begin);
  return begin == std::string::npos || end == std::string::npos
             ? "unknown"
             : text.substr(begin + kBefore.size(), end - begin - kBefore.size());
}

}  // namespace perfgate
