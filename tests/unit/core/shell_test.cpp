#include "perfgate/core/shell.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(ShellWord, LeavesAloneWhatAShellDoes) {
  EXPECT_EQ(shell_word("--worker=ops/mm/fp32/N512/eager"), "--worker=ops/mm/fp32/N512/eager");
}

TEST(ShellWord, QuotesEverythingElse) {
  EXPECT_EQ(shell_word("--case=ops/*"), "'--case=ops/*'");
  EXPECT_EQ(shell_word("my build/perfgate"), "'my build/perfgate'");
  EXPECT_EQ(shell_word("$HOME's"), "'$HOME'\\''s'");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ShellCommand, IsItsWords) { EXPECT_EQ(shell_command({"a", "b c", "--d=e"}), "a 'b c' --d=e"); }

}  // namespace
}  // namespace perfgate
