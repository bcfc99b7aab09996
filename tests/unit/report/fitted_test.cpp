#include "perfgate/report/fitted.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(Fitted, LeavesWhatFitsAndAnythingWhereNoWidthIsKnown) {
  EXPECT_EQ(fitted("  one two\n", 9), "  one two\n");
  EXPECT_EQ(fitted("  one two three four", 0), "  one two three four");
}

TEST(Fitted, GoesOnBelowWhereTheTextBegins) {
  EXPECT_EQ(fitted("  machine   one two three\n", 20),
            "  machine   one two\n"
            "            three\n");
  EXPECT_EQ(fitted("    1/8 ops/mm PASS  noisy\n", 20),
            "    1/8 ops/mm PASS\n"
            "        noisy\n");
  EXPECT_EQ(fitted("  significance one two three", 20),
            "  significance one\n"
            "               two\n"
            "               three");
  EXPECT_EQ(fitted("            one two three", 20),
            "            one two\n"
            "            three");
  EXPECT_EQ(fitted("  one two three", 10),
            "  one two\n"
            "      three");
}

TEST(Fitted, CountsNeitherColoursNorTheBytesOfACharacter) {
  EXPECT_EQ(fitted("    \033[1;31mREGRESSED\033[0m two", 17), "    \033[1;31mREGRESSED\033[0m two");
  EXPECT_EQ(fitted("    \xC3\xA4\xC3\xB6 two three", 17), "    \xC3\xA4\xC3\xB6 two three");
}

TEST(Fitted, BreaksNoPathAndNoCommand) {
  EXPECT_EQ(fitted("  results   /a/very/long/path/to/somewhere", 20),
            "  results   /a/very/long/path/to/somewhere");
  EXPECT_EQ(fitted("  reproduce    perfgate --case=ops/mm --baselines=there", 20),
            "  reproduce    perfgate --case=ops/mm --baselines=there");
}

TEST(Fitted, ClipsInTheMiddleOfAKey) {
  EXPECT_EQ(clipped_in_the_middle("ops/mm/eager", 12), "ops/mm/eager");
  EXPECT_EQ(clipped_in_the_middle("attention/256x32x256x512/flash", 16), "attenti..2/flash");
}

}  // namespace
}  // namespace perfgate
