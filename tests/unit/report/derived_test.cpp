#include "perfgate/report/derived.h"

#include <gmock/gmock.h>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::case_of;

/// 2.7 and 5.4 GB/s: mean 4.05.
std::vector<Outcome> two_shapes() {
  return {case_of("g/gemv/D64/eager", 100), case_of("g/gemv/D128/eager", 50)};
}

TEST(MeansOverShapes, AverageTheRatesOfAGroup) {
  const auto means = means_over_shapes(two_shapes());
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0].group, "g/gemv/eager");
  EXPECT_NEAR(means[0].mean.value, 4.05, 1e-12);
  EXPECT_EQ(means[0].mean.unit, Unit::kGbPerS);
  EXPECT_NEAR(means[0].lowest, 2.7, 1e-12);
  EXPECT_NEAR(means[0].highest, 5.4, 1e-12);
  EXPECT_EQ(means[0].shapes, 2);
}

TEST(MeansOverShapes, LeaveOutGroupsOfOneShapeAndCasesWithoutARate) {
  auto outcomes = two_shapes();
  outcomes.push_back(case_of("g/copy/D64/eager", 10));
  outcomes.push_back(case_of("g/mm/N64/eager", 10));
  outcomes.push_back(case_of("g/mm/N32/eager", 10));
  outcomes.push_back(testing_support::unjudged(Verdict::kError, "", "g/gemv/D256/eager"));
  const auto means = means_over_shapes(outcomes);
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0].shapes, 2);
}

TEST(MeansOverShapes, ComeInKeyOrder) {
  auto outcomes = two_shapes();
  outcomes.push_back(case_of("a/z/D1", 10));
  outcomes.push_back(case_of("a/z/D2", 10));
  const auto means = means_over_shapes(outcomes);
  ASSERT_EQ(means.size(), 2u);
  EXPECT_EQ(means[0].group, "a/z");
}

TEST(DerivedText, ShowsTheMeanWithItsSpreadAndSaysThatItIsNotJudged) {
  const std::string text = derived_text(two_shapes());
  EXPECT_THAT(text, HasSubstr("not judged"));
  EXPECT_THAT(text, HasSubstr("g/gemv/eager"));
  EXPECT_THAT(text, testing::ContainsRegex(
                        "4\\.0[45] GB/s   from 2\\.70 GB/s to 5\\.40 GB/s over 2 shapes"));
}

TEST(DerivedText, IsEmptyWithoutAGroup) { EXPECT_EQ(derived_text({two_shapes()[0]}), ""); }

TEST(PublishedText, ShowsSomebodyElsesMeasurementBesideOurs) {
  const Published file{
      "NVIDIA A100 40GB",
      "seed",
      {{"g/gemv/eager", {{1300, Unit::kGbPerS}}}, {"g/other/eager", {{999, Unit::kGbPerS}}}}};
  const std::string text = published_text(two_shapes(), {Published{}, file});
  EXPECT_THAT(text, HasSubstr("published for NVIDIA A100 40GB, not measured here"));
  EXPECT_THAT(text, testing::ContainsRegex("g/gemv/eager +1300 GB/s   here 4\\.0[45] GB/s"));
  EXPECT_THAT(text, Not(HasSubstr("g/other")));
}

TEST(PublishedText, ShowsEveryPublishedUnitOfACase) {
  Outcome model = case_of("m/tiny/graph", 5e5);
  model.reports[0].phases[Phase::kWhole].traffic = {{1e9}, {}, Bound::kMemory, false, 24};
  const Published file{
      "NVIDIA A100 40GB",
      "seed",
      {{"m/tiny/graph",
        {{94, Unit::kTokensPerS}, {1253, Unit::kGbPerS}, {133e6, Unit::kMicroseconds}}}}};
  const std::string text = published_text({model}, {file});
  EXPECT_THAT(text, testing::ContainsRegex("m/tiny/graph +94.0 tokens/s   here 48.0 tokens/s"));
  EXPECT_THAT(text, testing::ContainsRegex("m/tiny/graph +1253 GB/s   here 2.00 GB/s"));
  EXPECT_THAT(text, Not(HasSubstr("133"))) << "nothing here is compared with it";
}

TEST(PublishedText, IsEmptyWhereNothingOfItApplies) {
  const Published file{"NVIDIA A100 40GB", "seed", {{"g/other/eager", {{999, Unit::kGbPerS}}}}};
  EXPECT_EQ(published_text(two_shapes(), {file}), "");
  EXPECT_EQ(published_text(two_shapes(), {}), "");
}

}  // namespace
}  // namespace perfgate
