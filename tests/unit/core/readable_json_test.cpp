#include "perfgate/core/readable_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "perfgate/core/json.h"

namespace perfgate {
namespace {

using nlohmann::json;

TEST(DumpReadable, SortsKeysAndEndsWithANewline) {
  EXPECT_EQ(dump_readable(json::parse(R"({"b":1,"a":{"d":[],"c":"x"}})")),
            "{\"a\": {\"c\": \"x\", \"d\": []}, \"b\": 1}\n");
}

TEST(DumpReadable, RoundsNumbersToSixSignificantDigitsAndLeavesWholeOnesAlone) {
  EXPECT_EQ(dump_readable(json{{"a", 78.94123456}, {"b", 1234567.8}, {"c", 0.00012345678}}),
            "{\"a\": 78.9412, \"b\": 1234570.0, \"c\": 0.000123457}\n");
  EXPECT_EQ(dump_readable(json::array({123456789012345, true, nullptr})),
            "[123456789012345, true, null]\n");
}

TEST(DumpReadable, KeepsAValueOfAHundredColumnsOnOneLineAndBreaksALongerOne) {
  // ["..."] has four characters beside the text.
  EXPECT_EQ(dump_readable(json::array({std::string(96, 'x')})),
            "[\"" + std::string(96, 'x') + "\"]\n");
  EXPECT_EQ(dump_readable(json::array({std::string(97, 'x')})),
            "[\n  \"" + std::string(97, 'x') + "\"\n]\n");
}

TEST(DumpReadable, IndentsByTwoAndExpandsOnlyWhatDoesNotFit) {
  const std::string text(60, 'x');
  const json value = {{"long", {{"a", text}, {"b", text}}}, {"short", {1, 2}}};
  EXPECT_EQ(dump_readable(value), "{\n  \"long\": {\n    \"a\": \"" + text + "\",\n    \"b\": \"" +
                                      text + "\"\n  },\n  \"short\": [1, 2]\n}\n");
}

TEST(DumpReadable, FillsLinesWithALongListOfNumbers) {
  const json samples(30, 1.25);  // "1.25, " 16 times after an indent of two is 97 columns
  std::string line = " ";
  for (int i = 0; i < 16; ++i) {
    line += " 1.25,";
  }
  std::string rest = " ";
  for (int i = 0; i < 13; ++i) {
    rest += " 1.25,";
  }
  EXPECT_EQ(dump_readable(samples), "[\n" + line + "\n" + rest + " 1.25\n]\n");
}

TEST(DumpReadable, IsReadBackAsTheSameValue) {
  const json value = {{"a/b", {1.5, -2, "q\"uote\n", nullptr, false}},
                      {std::string(90, 'k'), {{"x", json::object()}, {"y", json::array()}}}};
  EXPECT_EQ(parse_strict(dump_readable(value), "f"), value);
}

TEST(DumpReadable, ReplacesWhatIsNotUtf8InTextsAndInKeys) {
  EXPECT_EQ(dump_readable(json{{"a\xff", "\xc3"}}), "{\"a\ufffd\": \"\ufffd\"}\n");
  const std::string broad(120, 'x');
  EXPECT_EQ(dump_readable(json{{"\xff", broad}}), "{\n  \"\ufffd\": \"" + broad + "\"\n}\n");
  EXPECT_EQ(dump_plain(json{{"a\xff", "\x1b"}}), "{\"a?\":\"?\"}");
}

TEST(DumpReadable, RefusesNumbersThatJsonCannotSay) {
  const json nan = {{"a", {1.0, std::nan("")}}};
  const json infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)dump_readable(nan), std::invalid_argument);
  EXPECT_THROW((void)dump_readable(infinite), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate
