// Numbers, where a library has set the process's locale to one with a comma.

#include "perfgate/core/numbers.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fixtures/comma_locale.h"
#include "perfgate/core/ascii.h"
#include "perfgate/core/json.h"
#include "perfgate/core/pattern.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/core/utc_time.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing_support::CommaLocale;
using testing_support::CommaStreams;

// Of a point with two bytes a parser that asks localeconv takes the first.
class InALocale : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!locale_.is_set()) {
      GTEST_SKIP() << "localedef makes no locale here";
    }
    ASSERT_EQ(std::strtod("7.188", nullptr), 7.0) << "the planted fault";
  }
  CommaLocale locale_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Of, InALocale, testing::Values(",", "<U066B>"));

TEST_P(InALocale, WhatIsWrittenAsJsonIsTheNumberWithAPoint) {
  EXPECT_EQ(dump_readable(json{{"a", 7.188}, {"b", {1.5, 1234567.8, 1e-9}}}),
            "{\"a\": 7.188, \"b\": [1.5, 1234570.0, 1e-09]}\n");
  EXPECT_EQ(json(7.188).dump(), "7.188");
}

TEST_P(InALocale, WhatIsReadAsJsonIsTheNumberWithItsFraction) {
  EXPECT_EQ(parse_strict("[7.188, -0.25, 1.5e3]", "f"), json({7.188, -0.25, 1.5e3}));
}

TEST_P(InALocale, TextAndNumberAreEachOther) {
  EXPECT_EQ(decimal_from("7.188"), 7.188);
  EXPECT_EQ(decimal_text(7.188), "7.188");
  EXPECT_EQ(rounded_text(7.188, 2), "7.2");
  EXPECT_EQ(rounded_text(0.5, 6), "0.5");
}

TEST_P(InALocale, TheProcessKeepsIts) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  {
    const PointInNumbers point;
    EXPECT_EQ(std::strtod("7.188", nullptr), 7.188);
  }
  EXPECT_EQ(std::strtod("7.188", nullptr), 7.0);
  EXPECT_EQ(std::setlocale(LC_NUMERIC, nullptr), before);
}

TEST(Numbers, AreTheWholeTextOrNone) {
  EXPECT_EQ(decimal_from("-1.5e3"), -1500.0);
  for (const char* text : {"", " 1", "1 ", "1,5", "0x1", "nan", "inf", "-inf", "1e999", "1.5.2"}) {
    EXPECT_EQ(decimal_from(text), std::nullopt) << text;
  }
  for (const double number : {0.1, 1e-320, 1.7976931348623157e308, 123456789.123456789}) {
    EXPECT_EQ(decimal_from(decimal_text(number)), number);
  }
}

TEST(Times, AreReadWhateverTheStreamsDo) {
  const CommaStreams streams;
  const auto seconds = utc_time("2026-11-27T23:59:59Z");
  ASSERT_TRUE(seconds.has_value());
  EXPECT_EQ(seconds->time_since_epoch().count(), 1795823999);
  for (const char* text : {"", "2026-11-27", "2026-13-27T00:00:00Z", "2026-11-00T00:00:00Z",
                           "2026-11-27T24:00:00Z", "2026-1a-27T00:00:00Z", "2026/11/27T00:00:00"}) {
    EXPECT_EQ(utc_time(text), std::nullopt) << text;
  }
}

TEST(Ascii, HasTheCapitalsOfLettersAndOfNothingElse) {
  EXPECT_EQ(upper('i'), 'I');
  EXPECT_EQ(lower('I'), 'i');
  EXPECT_EQ(upper('_'), '_');
  EXPECT_EQ(lower('\xdc'), '\xdc');
}

TEST(Ascii, WordsAreWhatStandsBetweenBlanks) {
  EXPECT_EQ(words_of(" 1:  FLOCK\tx\n"), (std::vector<std::string>{"1:", "FLOCK", "x"}));
  EXPECT_TRUE(words_of(" \n").empty());
}

}  // namespace
}  // namespace perfgate
