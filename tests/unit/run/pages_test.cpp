// The pages that list what the code has: flags, verdicts and exit codes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "perfgate/core/files.h"
#include "perfgate/gate/verdict.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

std::string page(const std::string& name) {
  return read_file(std::filesystem::path(PERFGATE_SOURCE_DIR) / "docs/reference" / name);
}

// Each "--name" that stands behind `before` at the begin of a line.
std::set<std::string> flags_in(const std::string& text, const std::string& before) {
  std::set<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find("--");
    if (at != std::string::npos && line.substr(0, at) == before) {
      const auto end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 2);
      out.insert(line.substr(at, end - at));
    }
  }
  return out;
}

TEST(Pages, HaveEveryFlagAndNoOther) {
  const std::array<const char*, 2> arguments = {"perfgate", "--help"};
  const auto help = parse_options(arguments.size(), arguments.data()).help;
  ASSERT_TRUE(help);
  EXPECT_EQ(flags_in(page("flags.md"), "| `"), flags_in(*help, "  "));
}

TEST(Pages, HaveEveryVerdict) {
  for (const auto& [verdict, name] : kNames<Verdict>) {
    EXPECT_THAT(page("verdicts.md"), HasSubstr("| " + std::string(name))) << name;
  }
}

// A verdict stands in the section of its result, and so is its exit code said.
TEST(Pages, SayOfEachVerdictWhatItComesTo) {
  const std::string text = page("verdicts.md");
  const auto pass = text.find("## Pass");
  const auto fail = text.find("## Fail");
  const auto nothing = text.find("## Not judged");
  for (const auto& [verdict, name] : kNames<Verdict>) {
    const auto at = text.find("\n| " + std::string(name), pass);
    const ExitCode code = exit_code_of(verdict, false);
    EXPECT_EQ(code == ExitCode::kOk, at > pass && at < fail) << name;
    EXPECT_EQ(code == ExitCode::kFail, at > fail && at < nothing) << name;
    EXPECT_EQ(code == ExitCode::kSkipped || code == ExitCode::kRefused, at > nothing) << name;
  }
}

TEST(Pages, HaveEveryExitCode) {
  for (const ExitCode code :
       {ExitCode::kOk, ExitCode::kFail, ExitCode::kUsage, ExitCode::kRefused, ExitCode::kSkipped}) {
    EXPECT_THAT(page("verdicts.md"),
                HasSubstr("\n| " + std::to_string(static_cast<int>(code)) + " |"));
  }
}

}  // namespace
}  // namespace perfgate
