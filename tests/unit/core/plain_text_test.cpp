// What hostile text can do to whoever reads it, and that it no longer does.

#include "perfgate/core/plain_text.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(PlainText, HasNoControlCharactersButLineFeedsAndTabs) {
  EXPECT_TRUE(is_plain("a\n\tb \xc3\xa9 \xe2\x82\xac"));
  for (const char* text : {"\033[2J", "a\rb", "\x07", "\x7f", "\u009b2J"}) {
    EXPECT_FALSE(is_plain(text)) << plain(text);
    EXPECT_TRUE(is_plain(plain(text)));
  }
  EXPECT_EQ(plain("a\033[31mb\u009bc"), "a?[31mb?c");
}

TEST(ForTerminal, LeavesPerfgatesOwnColoursAlone) {
  const std::string own = "\033[1;31mREGRESSED\033[0m";
  EXPECT_EQ(for_terminal(own), own);
  EXPECT_EQ(for_terminal("\r\033[K  1/5"), "\r\033[K  1/5");
  EXPECT_EQ(for_terminal("\033[8mhidden\rover"), "?[8mhidden?over");
}

TEST(ForTerminal, LeavesNoLineThatIsACommandOfTheLogs) {
  EXPECT_EQ(for_terminal("::error::x\n  ::set-output name=a::b\n##[error]"),
            "| ::error::x\n|   ::set-output name=a::b\n| ##[error]");
  EXPECT_EQ(for_terminal("at::mm\n  reason  c10::Error"), "at::mm\n  reason  c10::Error");
}

TEST(ForMarkdown, MeansNothing) {
  EXPECT_EQ(for_markdown("a|b\nc <img> `x` [y](z)"), "a\\|b c \\<img\\> \\`x\\` \\[y\\]\\(z\\)");
}

TEST(MarkdownBlock, CannotBeEndedFromWithin) {
  EXPECT_EQ(markdown_block("text"), "```\ntext\n```\n");
  EXPECT_EQ(markdown_block("a\n```\n# b\n"), "````\na\n```\n# b\n````\n");
  EXPECT_EQ(markdown_block("`````"), "``````\n`````\n``````\n");
}

}  // namespace
}  // namespace perfgate
