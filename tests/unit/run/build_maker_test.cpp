// Builds that a command makes, and lists of them.

#include "perfgate/run/compare/build_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fixtures/message_of.h"
#include "fixtures/temporary_folder.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/run/cli/bisect_options.h"
#include "perfgate/run/machine/other_build.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

class BuildMakerTest : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  BuildMaker maker(const std::string& command) { return {{}, command, folder_.path() / "log"}; }

  testing_support::TemporaryFolder folder_;
};

TEST_F(BuildMakerTest, TakesTheFolderOfTheLastLineAndKeepsErrorOutputApart) {
  const auto program = file("a b/bin/perfgate", "");
  auto made = maker("make() { echo building; echo oops >&2; echo '" + folder_.path().string() +
                    "'/\"$1\"; }; make")
                  .make("a b");
  EXPECT_EQ(made.why_not, "");
  EXPECT_EQ(made.program, program);
  EXPECT_EQ(read_file(folder_.path() / "log"), "oops\n");
}

TEST_F(BuildMakerTest, FindsTheProgramOfAnotherSuiteWhereItLiesInItsBuildFolder) {
  const auto program = file("older/demo/bin/demo", "");
  Suite suite;
  suite.name = "demo";
  suite.program = "demo/bin/demo";
  BuildMaker maker(suite, "", folder_.path() / "log");
  EXPECT_EQ(maker.make((folder_.path() / "older").string()).program, program);
  EXPECT_THAT(testing_support::message_of([&] { maker.make(folder_.path().string()); }),
              HasSubstr("name the demo of another build"));
}

TEST_F(BuildMakerTest, KnowsTheCommitThatAProgramNamesAndNoOther) {
  const auto program = file(
      "named", "#!/bin/sh\necho \"demo (git 0123456789ab-dirty)\"\necho \"perfgate (git f)\"\n");
  const auto silent = file("silent", "#!/bin/sh\nexit 2\n");
  for (const auto& path : {program, silent}) {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  EXPECT_EQ(commit_of(program), "0123456789ab-dirty");
  EXPECT_EQ(commit_of(silent), "unknown");
}

TEST_F(BuildMakerTest, SaysHowTheCommandEnded) {
  EXPECT_THAT(maker("exit 3;").make("a").why_not, HasSubstr("exit code 3"));
}

TEST_F(BuildMakerTest, SaysThatTheFolderHasNoProgram) {
  EXPECT_THAT(maker("echo /nowhere; :").make("a").why_not, HasSubstr("no program /nowhere"));
}

// Else the last of them would be measured under the names of all.
TEST_F(BuildMakerTest, RefusesACommandThatMakesAllBuildsInOneFolder) {
  file("bin/perfgate", "");
  auto same = maker("echo '" + folder_.path().string() + "'; :");
  EXPECT_EQ(same.make("a").why_not, "");
  EXPECT_EQ(same.make("a").why_not, "") << "the same once more";
  EXPECT_THAT(testing_support::message_of([&] { same.make("b"); }),
              HasSubstr("b and a are the same program"));
}

TEST_F(BuildMakerTest, WithoutACommandANameIsABuild) {
  const auto program = file("one/bin/perfgate", "");
  EXPECT_EQ(maker("").make((folder_.path() / "one").string()).program, program);
  EXPECT_THROW(maker("").make("/nowhere"), UsageError);
}

TEST_F(BuildMakerTest, ReadsAListWithoutEmptyLinesAndComments) {
  const auto list = file("list", "# oldest first\n  a \n\nb c\r\n");
  EXPECT_EQ(read_builds(list), (std::vector<std::string>{"a", "b c"}));
}

TEST_F(BuildMakerTest, RefusesAListThatIsNone) {
  EXPECT_THROW(read_builds(folder_.path() / "missing"), UsageError);
  EXPECT_THROW(read_builds(file("one", "a\n")), UsageError);
  EXPECT_THROW(read_builds(file("twice", "a\nb\na\n")), UsageError);
  EXPECT_THROW(read_builds(file("control", "a\nb\x1b[2J\n")), UsageError);
}

}  // namespace
}  // namespace perfgate
