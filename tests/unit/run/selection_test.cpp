#include "perfgate/run/cli/selection.h"

#include <gtest/gtest.h>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

const std::vector<DeclaredCase> kDeclared = {
    {"a/x/D1/eager"}, {"a/x/D1/compiled", /*nightly=*/false}, {"b/y/eager"}};

std::vector<std::string> select(const std::string& glob, const std::string& family) {
  Selection selection;
  selection.case_glob = glob;
  selection.family = family;
  return selected_keys(selection, kDeclared);
}

TEST(Selection, SelectsByGlobAndFamilyTogether) {
  EXPECT_EQ(select("*", ""), (std::vector<std::string>{"a/x/D1/eager", "b/y/eager"}));
  EXPECT_EQ(select("*/eager", ""), (std::vector<std::string>{"a/x/D1/eager", "b/y/eager"}));
  EXPECT_EQ(select("*/eager", "b"), (std::vector<std::string>{"b/y/eager"}));
}

TEST(Selection, WithoutAGlobTakesWhatIsANights) {
  EXPECT_EQ(select("", ""), (std::vector<std::string>{"a/x/D1/eager", "b/y/eager"}));
  EXPECT_EQ(select("a/x/D1/compiled", ""), (std::vector<std::string>{"a/x/D1/compiled"}));
}

TEST(Selection, TakesWhatRunsOnRequestWhereItIsNamedOrNothingElseMatches) {
  EXPECT_EQ(select("a/*", ""), (std::vector<std::string>{"a/x/D1/eager"}));
  EXPECT_EQ(select("*/compiled", ""), (std::vector<std::string>{"a/x/D1/compiled"}));
  EXPECT_EQ(select("a/*,a/x/D1/compiled", ""),
            (std::vector<std::string>{"a/x/D1/eager", "a/x/D1/compiled"}));
}

TEST(Selection, TakesSeveralGlobsAndNamesTheOneThatMatchesNothing) {
  EXPECT_EQ(select("b/*,a/*", ""), (std::vector<std::string>{"a/x/D1/eager", "b/y/eager"}));
  EXPECT_EQ(select("b/*,b/y/*", ""), (std::vector<std::string>{"b/y/eager"}));
  try {
    select("b/*,c/*", "");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("no case matches \"c/*\""), std::string::npos);
  }
}

TEST(Selection, SaysWhatIsPossibleWhenAFamilyIsNotThere) {
  try {
    select("*", "c");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("possible: a, b"), std::string::npos);
  }
}

TEST(Selection, SelectsNothingOfAFamilyThatIsGatedElsewhere) {
  Selection of_gpus;
  of_gpus.family = "c";
  EXPECT_TRUE(selected_keys(of_gpus, kDeclared, {"a", "b", "c"}).empty());
  EXPECT_TRUE(selected_keys(of_gpus, {}, {"c"}).empty());
  EXPECT_THROW(selected_keys(of_gpus, kDeclared, {"a", "b"}), UsageError);
}

TEST(Selection, RefusesAGlobThatMatchesNothingAnywhere) {
  EXPECT_THROW(select("a/z*", ""), UsageError);
}

TEST(Selection, MaySelectNothingOfAFamilyThatTheGlobDoesNotMean) {
  EXPECT_TRUE(select("a/*", "b").empty());  // ctest runs every family with one PERFGATE_CASE
}

std::string dense_of(const std::string& key) {
  return key.substr(key.rfind('/')) == "/dense" ? "" : key.substr(0, key.rfind('/')) + "/dense";
}

TEST(Sharding, KeepsTogetherWhatIsCompared) {
  const std::vector<std::string> keys = {"s/a/dense", "s/a/csr", "s/b/dense",
                                         "s/b/csr",   "s/c/csr", "s/c/dense"};
  EXPECT_EQ(shard_of(keys, {0, 2}, dense_of),
            (std::vector<std::string>{"s/a/dense", "s/a/csr", "s/c/csr", "s/c/dense"}));
  EXPECT_EQ(shard_of(keys, {1, 2}, dense_of), (std::vector<std::string>{"s/b/dense", "s/b/csr"}));
  EXPECT_EQ(shard_of(keys, {0, 1}, dense_of), keys);
}

TEST(Sharding, IsGoogleTestsByItsVariables) {
  EXPECT_EQ(shard_from(nullptr, nullptr).total, 1);
  const Shard second = shard_from("4", "1");
  EXPECT_EQ(second.total, 4);
  EXPECT_EQ(second.index, 1);
  for (const auto& [total, index] :
       {std::pair{"4", "4"}, {"0", "0"}, {"x", "0"}, {"4", "-1"}, {"4", ""}}) {
    EXPECT_THROW(shard_from(total, index), UsageError) << total << " " << index;
  }
  EXPECT_THROW(shard_from("4", nullptr), UsageError);
}

TEST(Selection, ExcludesBehindTheOneMinusOfAFilter) {
  EXPECT_EQ(filter_without("*", {"A.b", "A.c"}), "*-A.b:A.c");
  EXPECT_EQ(filter_without("A.*-A.b", {"A.c"}), "A.*-A.b:A.c");
  EXPECT_EQ(filter_without("A.*", {}), "A.*");
}

}  // namespace
}  // namespace perfgate
