#include "perfgate/run/compare/build_maker.h"

#include <chrono>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/run/machine/other_build.h"

namespace perfgate {
namespace {

constexpr std::chrono::hours kLongestBuild{24};

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) {
    return "";
  }
  const auto begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

MadeProgram BuildMaker::run(const std::string& name) const {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "exec 2>>\"$1\"; " + command_ + " \"$0\"", name,
                     log_.string()};
  request.timeout = kLongestBuild;
  const ProcessResult result = run_process(request);
  if (result.exit_code != 0) {
    return {{},
            "the command ended with " + result.ending(request.timeout) + ", see " + log_.string()};
  }
  const std::string folder = last_line(result.output);
  try {
    return {program_of(folder, suite_, "--bisect_make"), ""};
  } catch (const UsageError& error) {
    return {{}, for_terminal(error.problem())};
  }
}

MadeProgram BuildMaker::make(const std::string& name) {
  const MadeProgram out =
      command_.empty() ? MadeProgram{program_of(name, suite_, "--bisect"), ""} : run(name);
  if (out.why_not.empty()) {
    const auto [at, is_new] = names_.try_emplace(std::filesystem::canonical(out.program), name);
    if (!is_new && at->second != name) {
      throw UsageError(
          name + " and " + at->second + " are the same program, " + out.program.string(),
          "make each build in a folder of its own");
    }
  }
  return out;
}

}  // namespace perfgate
