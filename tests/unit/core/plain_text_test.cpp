// What hostile text can do to whoever reads it, and that it no longer does.

#include "perfgate/core/plain_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

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

TEST(PlainText, IsUtf8AndNothingElse) {
  for (const char* text :
       {"\xff", "\xc3", "\xc3(", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_FALSE(is_plain(text));
    EXPECT_TRUE(is_plain(plain(text)));
    EXPECT_EQ(plain(std::string("a") + text + "b").front(), 'a');
    EXPECT_EQ(plain(std::string("a") + text + "b").back(), 'b');
  }
  EXPECT_EQ(plain("caf\xe9 \xc3\xa9"), "caf? \xc3\xa9");
  for (const char* text :
       {"\xf0\x9f\x98\x80", "\u00e9", "\u20ac", "\ufffd", "\u200b", "\U0010fffd"}) {
    EXPECT_TRUE(is_plain(text)) << text;
    EXPECT_EQ(plain(text), text);
  }
}

TEST(PlainText, HasNothingThatTurnsEndsOrIsNoCharacter) {
  for (const char* text : {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e",
                           "\u2066", "\u2069", "\ufeff", "\ufdd0", "\xef\xbf\xbe", "\xef\xbf\xbf",
                           "\xf0\x9f\xbf\xbe", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(plain(text), "?");
    EXPECT_EQ(for_terminal(text), "?");
  }
}

TEST(PlainText, IsOnOneLineWhereALineIsWanted) {
  EXPECT_EQ(plain_line("a\nb\tc\x01"), "a b c?");
  EXPECT_EQ(plain_lines("a\n::error::b\n  ##[x]"), "a\n| ::error::b\n|   ##[x]");
}

TEST(Shortened, CutsBetweenCharactersAndSaysHowMuchThereWas) {
  EXPECT_EQ(shortened("12345", 5), "12345");
  EXPECT_EQ(shortened("123456", 5), "12345... (1 bytes more)");
  EXPECT_EQ(shortened("1234\u20ac", 5), "1234... (3 bytes more)");
  EXPECT_EQ(shortened("1234\u20ac", 6), "1234... (3 bytes more)");
  EXPECT_EQ(shortened("1234\u20ac", 7), "1234\u20ac");
  EXPECT_LT(shortened(std::string(3 << 20, 'x')).size(), kLongestText + 40);
}

TEST(WithPlainTexts, MakesTextsAndKeysPlainHoweverDeep) {
  const nlohmann::json value = {{"a\xff", {{"b", {"\x01", 1, "ok"}}}}, {"c", nullptr}};
  EXPECT_EQ(with_plain_texts(value).dump(), R"({"a?":{"b":["?",1,"ok"]},"c":null})");
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

TEST(MarkdownCode, CannotBeEndedFromWithinNorItsCell) {
  EXPECT_EQ(markdown_code("a`b\n::error::|\xff"), "`a'b ::error::\u00a6?`");
  EXPECT_EQ(markdown_code(""), "`-`");
  EXPECT_EQ(markdown_code("\n"), "`-`");
}

TEST(MarkdownBlock, HoldsNoCommandOfALog) {
  EXPECT_EQ(markdown_block("a\n::error::b"), "```\na\n| ::error::b\n```\n");
}

TEST(MarkdownBlock, CannotBeEndedFromWithin) {
  EXPECT_EQ(markdown_block("text"), "```\ntext\n```\n");
  EXPECT_EQ(markdown_block("a\n```\n# b\n"), "````\na\n```\n# b\n````\n");
  EXPECT_EQ(markdown_block("`````"), "``````\n`````\n``````\n");
}

}  // namespace
}  // namespace perfgate
