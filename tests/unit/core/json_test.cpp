#include "perfgate/core/json.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "fixtures/message_of.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing_support::message_of;

std::string refusal_of(const std::string& text, const JsonLimits& limits = {}) {
  return message_of([&] { (void)parse_strict(text, "b.json", limits); });
}

TEST(ParseStrict, ReadsWhatJsonIs) {
  const json document = parse_strict(R"({"a": [1, 2.5, "x", null, true], "b": {"a": {}}})", "f");
  EXPECT_EQ(document["a"][1], 2.5);
  EXPECT_EQ(document["b"]["a"], json::object());
}

TEST(ParseStrict, RefusesAKeyThatStandsTwiceAndSaysWhereAndHowToMend) {
  EXPECT_THAT(refusal_of(R"({"a": 1, "b": 2, "a": 1})"),
              AllOf(HasSubstr("b.json: at \"/a\": this key stands here twice"),
                    HasSubstr("\n  mend: correct the file by hand")));
  EXPECT_THAT(refusal_of(R"({"x": {"y": {"a": 1, "a": 2}}})"), HasSubstr("at \"/x/y/a\":"));
}

TEST(ParseStrict, AllowsOneKeyInDifferentObjects) {
  EXPECT_NO_THROW((void)parse_strict(R"({"a": {"a": [{"a": 1}, {"a": 1}]}, "b": {"a": 1}})", "f"));
}

TEST(ParseStrict, EscapesTildeAndSlashInThePointer) {
  EXPECT_THAT(refusal_of(R"({"a/b": {"~c": 1, "~c": 2}})"), HasSubstr("at \"/a~1b/~0c\":"));
}

TEST(ParseStrict, CountsArrayElementsInThePointerOfADuplicate) {
  EXPECT_THAT(refusal_of(R"({"e": [1, {"a": 1}, {"a": 1, "a": 2}]})"), HasSubstr("at \"/e/2/a\":"));
}

TEST(ParseStrict, RefusesWhatIsNotJsonAndNamesTheFile) {
  for (const char* text :
       {"", " \n", "NaN", "[NaN]", "[Infinity]", "[-Infinity]", "[1e999]", "[-1e999]", "{} x",
        "{}{}", "[1,]", "{\"a\":}", "[1", "{'a': 1}", "// c\n{}", "[\"\xff\"]", "[01]"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("b.json: at \"\": ")) << text;
  }
}

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

TEST(ParseStrict, RefusesNestingPastTheLimitAndNotAtIt) {
  EXPECT_NO_THROW((void)parse_strict(nested(16), "f"));
  EXPECT_THAT(refusal_of(nested(17)), HasSubstr("nested deeper than 16 levels"));
  EXPECT_THAT(refusal_of(R"({"a": {"b": {}}})", {1000, 2}), HasSubstr("at \"/a/b\": nested"));
}

TEST(ParseStrict, RefusesAbsurdNestingWithoutCrashing) {
  EXPECT_THAT(refusal_of(nested(100000)), HasSubstr("nested deeper than 16 levels"));
}

TEST(ParseStrict, RefusesMoreBytesThanTheLimitAndNotTheLimitItself) {
  EXPECT_NO_THROW((void)parse_strict("[1,2]", "f", {5, 16}));
  EXPECT_THAT(refusal_of("[1,23]", {5, 16}), HasSubstr("6 bytes, and the limit is 5"));
}

TEST(JsonCursor, ReadsEveryKindOfValue) {
  const json value = json::parse(R"({"n": 1.5, "i": -3, "b": true, "t": "x", "a": [1, 2.5]})");
  const JsonCursor cursor(value, "b.json");
  EXPECT_EQ(cursor.at("n").number(), 1.5);
  EXPECT_EQ(cursor.at("i").number(), -3.0);
  EXPECT_EQ(cursor.at("n").positive_number(), 1.5);
  EXPECT_EQ(cursor.at("i").integer(), -3);
  EXPECT_TRUE(cursor.at("b").boolean());
  EXPECT_EQ(cursor.at("t").text(), "x");
  EXPECT_THAT(cursor.at("a").numbers(), testing::ElementsAre(1.0, 2.5));
  EXPECT_EQ(cursor.at("a").elements().size(), 2u);
  ASSERT_EQ(cursor.members().size(), 5u);
  EXPECT_EQ(cursor.members().front().first, "a");  // in key order
}

TEST(JsonCursor, NamesThePlaceOfEveryWrongType) {
  const json value = json::parse(R"({"a/b": [{"x": 1.5, "z": 0}, "s", [1, "q"]]})");
  const JsonCursor array = JsonCursor(value, "b.json").at("a/b");
  const JsonCursor object = array.elements()[0];
  const JsonCursor text = array.elements()[1];
  const auto refusal = [](const JsonCursor& cursor, auto read) {
    return message_of([&] { (void)(cursor.*read)(); });
  };
  const std::string at = "b.json: at \"/a~1b";
  EXPECT_THAT(refusal(text, &JsonCursor::number), HasSubstr(at + "/1\": expected a number"));
  EXPECT_THAT(refusal(text, &JsonCursor::positive_number), HasSubstr(at + "/1\": expected"));
  EXPECT_THAT(refusal(text, &JsonCursor::boolean), HasSubstr(at + "/1\": expected true or false"));
  EXPECT_THAT(refusal(text, &JsonCursor::elements), HasSubstr(at + "/1\": expected an array"));
  EXPECT_THAT(refusal(text, &JsonCursor::numbers), HasSubstr(at + "/1\": expected an array"));
  EXPECT_THAT(refusal(array.elements()[2], &JsonCursor::numbers),
              HasSubstr(at + "/2/1\": expected a number"));
  EXPECT_THAT(refusal(text, &JsonCursor::members), HasSubstr(at + "/1\": expected an object"));
  EXPECT_THAT(refusal(array, &JsonCursor::text), HasSubstr(at + "\": expected a string"));
  EXPECT_THAT(refusal(object.at("x"), &JsonCursor::integer),
              HasSubstr(at + "/0/x\": expected a whole number"));
  EXPECT_THAT(refusal(object.at("z"), &JsonCursor::positive_number),
              HasSubstr(at + "/0/z\": expected a number above 0"));
  EXPECT_THAT(message_of([&] { (void)text.at("x"); }), HasSubstr(at + "/1\": expected an object"));
  EXPECT_THAT(message_of([&] { object.fail("bad"); }), HasSubstr(at + "/0\": bad"));
}

TEST(JsonCursor, RefusesAWholeNumberThatDoesNotFitInsteadOfWrappingIt) {
  const json largest = json::parse("9223372036854775807");
  const json larger = json::parse("9223372036854775808");
  EXPECT_EQ(JsonCursor(largest, "f").integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_THROW((void)JsonCursor(larger, "f").integer(), UsageError);
}

TEST(JsonCursor, RefusesTextsAndKeysThatCannotBeShown) {
  const json value = {{"t", "a\u202e"}, {"o", {{"k\n\x1b", 1}}}};
  const JsonCursor cursor(value, "b.json");
  EXPECT_THAT(message_of([&] { (void)cursor.at("t").text(); }), HasSubstr("cannot be shown"));
  EXPECT_THAT(message_of([&] { (void)cursor.at("o").members(); }), HasSubstr("the key \"k ?\""));
}

TEST(JsonCursor, FindsWhatIsThereAndNothingElse) {
  const json value = {{"a", {{"b", 1}}}};
  const JsonCursor cursor(value, "b.json");
  EXPECT_EQ(cursor.at("a").find("b")->number(), 1);
  EXPECT_FALSE(cursor.find("b").has_value());
  EXPECT_THAT(message_of([&] { (void)cursor.at("a").at("c"); }),
              HasSubstr("at \"/a\": \"c\" is missing"));
}

TEST(JsonCursor, AllowsListedKeysOnlyAndSaysWhichTheyAre) {
  const json value = {{"a", 1}, {"b", 2}};
  const JsonCursor cursor(value, "b.json");
  EXPECT_NO_THROW(cursor.allow_only({"a", "b", "c"}));
  EXPECT_THAT(message_of([&] {
                cursor.allow_only({"a", "c"});
              }),
              HasSubstr("at \"/b\": unknown key; known here: a, c"));
}

}  // namespace
}  // namespace perfgate
