#include "perfgate/model/case_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(CaseKey, FamilyIsTheFirstWord) {
  EXPECT_EQ(family_of("gpt_fast/gemv/int8/D8192/compiled"), "gpt_fast");
  EXPECT_EQ(family_of("floor"), "floor");
  EXPECT_EQ(family_of(""), "");
}

TEST(CaseKey, TestNameKeepsWordCharactersAndReplacesAllOthers) {
  EXPECT_EQ(test_name_of("gpt_fast/gemv/int8/D8192/compiled"), "gpt_fast_gemv_int8_D8192_compiled");
  EXPECT_EQ(test_name_of("ops/mm-tn/1.5x/eager"), "ops_mm_tn_1_5x_eager");
  EXPECT_EQ(test_name_of("aZ_09"), "aZ_09");
}

TEST(CaseKey, GlobMatchesTheWholeKeyAndItsStarCrossesSlashes) {
  const std::string key = "gpt_fast/gemv/int8/D8192/compiled";
  EXPECT_TRUE(matches_glob(key, key));
  EXPECT_TRUE(matches_glob(key, "gpt_fast/*/compiled"));
  EXPECT_TRUE(matches_glob(key, "*D8192*"));
  EXPECT_TRUE(matches_glob(key, "gpt_fast/gemv/int?/D8192/compiled"));
  EXPECT_TRUE(matches_glob(key, "gpt_fast/gemv/int[48]/*"));
}

TEST(CaseKey, GlobDoesNotMatchAPartOfTheKey) {
  const std::string key = "gpt_fast/gemv/int8/D8192/compiled";
  EXPECT_FALSE(matches_glob(key, "gpt_fast"));
  EXPECT_FALSE(matches_glob(key, "gemv/*"));
  EXPECT_FALSE(matches_glob(key, "*/D819"));
  EXPECT_FALSE(matches_glob(key, "GPT_FAST/*"));
  EXPECT_FALSE(matches_glob(key, ""));
}

TEST(CaseKey, WordsSeparatedBySingleSlashesAreValid) {
  EXPECT_TRUE(is_valid_key("floor"));
  EXPECT_TRUE(is_valid_key("gpt_fast/gemv/int8/D8192/compiled"));
  EXPECT_TRUE(is_valid_key("ops/mm-tn/1.5x"));
}

TEST(CaseKey, WordsThatStandForAFolderAreNotValid) {
  for (const char* key : {".", "..", "../a", "a/../b", "a/.", "a/./b"}) {
    EXPECT_FALSE(is_valid_key(key)) << key;
  }
  EXPECT_TRUE(is_valid_key("a/..b/c."));
}

TEST(CaseKey, EmptyWordsAndOtherCharactersAreNotValid) {
  for (const char* key :
       {"", "/", "/gemv", "gemv/", "a//b", "a b", "a/b*", "a/\n", "a\\b", "caf\xc3\xa9"}) {
    EXPECT_FALSE(is_valid_key(key)) << key;
  }
}

std::string refusal_of(const std::vector<std::string>& keys) {
  try {
    require_distinct_keys(keys);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(DistinctKeys, ArePassed) {
  EXPECT_EQ(refusal_of({}), "");
  EXPECT_EQ(refusal_of({"ops/mm/N1", "ops/mm/N2", "ops/mm"}), "");
  EXPECT_EQ(refusal_of({std::string(kLongestKey, 'a')}), "");
}

TEST(DistinctKeys, ThatMakeOneTestNameAreBothNamed) {
  for (const auto& [one, other] :
       {std::pair("ops/a-b", "ops/a_b"), std::pair("a/b", "a.b"), std::pair("a/1.5", "a/1-5")}) {
    EXPECT_THAT(refusal_of({"first", one, "between", other}),
                AllOf(HasSubstr(std::string(one) + " and " + other), HasSubstr("differ")));
  }
}

TEST(DistinctKeys, AreNotTwiceTheSame) {
  EXPECT_THAT(refusal_of({"a/b", "a/b"}), HasSubstr("two cases have the key a/b"));
}

TEST(DistinctKeys, AreNotDisabled) {
  EXPECT_THAT(refusal_of({"DISABLED_ops/mm"}), HasSubstr("GoogleTest would never run it"));
  EXPECT_EQ(refusal_of({"ops/DISABLED_mm", "ops_DISABLED_/mm"}), "");
}

TEST(DistinctKeys, AreValidAndNotTooLong) {
  EXPECT_THAT(refusal_of({"a b"}), HasSubstr("not a case key: \"a b\""));
  EXPECT_THAT(refusal_of({std::string(kLongestKey + 1, 'a')}), HasSubstr("160 characters"));
}

TEST(ShapeGroup, IsTheKeyWithoutItsShapeWord) {
  EXPECT_EQ(shape_group("gpt_fast/gemv/int8/D8192/compiled"), "gpt_fast/gemv/int8/compiled");
  EXPECT_EQ(shape_group("ops/copy/D64"), "ops/copy");
  EXPECT_EQ(shape_group("s/tensor/fp16/512x128x2048/dense"), "s/tensor/fp16/dense");
}

TEST(ShapeGroup, IsNothingWithoutAShapeWord) {
  EXPECT_FALSE(shape_group("ops/mm/fp32/512/eager").has_value());
  EXPECT_FALSE(shape_group("ops/mm/D64x64/eager").has_value());
  EXPECT_FALSE(shape_group("ops/mm/XD64/eager").has_value());
  EXPECT_FALSE(shape_group("ops/mm/D/eager").has_value());
}

}  // namespace
}  // namespace perfgate
