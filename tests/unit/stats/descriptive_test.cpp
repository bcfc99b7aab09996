#include "perfgate/stats/descriptive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace perfgate {
namespace {

using Values = std::vector<double>;

TEST(Mean, IsTheSumOverTheCount) {
  EXPECT_DOUBLE_EQ(mean(Values{1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(mean(Values{-4}), -4);
}

TEST(Mean, RefusesNoValues) { EXPECT_THROW((void)mean(Values{}), std::invalid_argument); }

TEST(Median, IsTheMiddleOfAnOddNumberInAnyOrder) {
  EXPECT_EQ(median(Values{9, 1, 2}), 2);
  EXPECT_EQ(median(Values{7}), 7);
}

TEST(Median, IsTheMeanOfTheTwoMiddleOnesOfAnEvenNumber) {
  EXPECT_EQ(median(Values{10, 1, 4, 2}), 3);
  EXPECT_EQ(median(Values{5, 1}), 3);
}

TEST(Median, DoesNotMoveWithOneWildValueWhereTheMeanDoes) {
  EXPECT_EQ(median(Values{1, 2, 3}), median(Values{1, 2, 3000}));
  EXPECT_NE(mean(Values{1, 2, 3}), mean(Values{1, 2, 3000}));
}

TEST(Median, RefusesNoValues) { EXPECT_THROW((void)median(Values{}), std::invalid_argument); }

TEST(RelativeInterquartileRange, IsWhatTheMiddleHalfCoversOfTheMedian) {
  EXPECT_DOUBLE_EQ(relative_interquartile_range(Values{10, 9, 12, 11, 8, 1, 1000, 10}),
                   (11.0 - 9.0) / 10.0);
  EXPECT_EQ(relative_interquartile_range(Values{5}), 0);
  EXPECT_DOUBLE_EQ(relative_interquartile_range(Values{9, 11}), 0.2);
}

TEST(RelativeInterquartileRange, RefusesNoValues) {
  EXPECT_THROW((void)relative_interquartile_range(Values{}), std::invalid_argument);
}

TEST(VarianceOfMedian, IsTheTablesForAFewAndTheLimitForMany) {
  EXPECT_DOUBLE_EQ(variance_of_median(1), 1);
  EXPECT_DOUBLE_EQ(variance_of_median(2), 0.5);  // the mean of both
  EXPECT_DOUBLE_EQ(variance_of_median(5), 0.2868);
  EXPECT_NEAR(variance_of_median(100), 0.015708, 1e-6);
  EXPECT_THROW(variance_of_median(0), std::invalid_argument);
}

TEST(TrimmedMean, LeavesOutTheTenthAtEitherEnd) {
  // 10 values: the least and the greatest go, whatever they are.
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{900, 1, 2, 2, 2, 3, 3, 3, 3, -50}), 2.375);
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{9, 1, 2}), 2);  // of few, one at either end
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{1, 9}), 5);     // too few to leave any out
  EXPECT_THROW((void)trimmed_mean(Values{}), std::invalid_argument);
}

TEST(MeanLog, IsTheLogarithmOfTheGeometricMean) {
  EXPECT_DOUBLE_EQ(mean_log(Values{2, 8}), std::log(4));  // sqrt(2 x 8) = 4
  EXPECT_DOUBLE_EQ(mean_log(Values{1, 1, 1}), 0);
}

TEST(MeanLog, RefusesNoValuesAndValuesNotAboveZero) {
  EXPECT_THROW((void)mean_log(Values{}), std::invalid_argument);
  EXPECT_THROW((void)mean_log(Values{1, 0}), std::invalid_argument);
  EXPECT_THROW((void)mean_log(Values{1, -1}), std::invalid_argument);
  EXPECT_THROW((void)mean_log(Values{std::numeric_limits<double>::quiet_NaN()}),
               std::invalid_argument);
  EXPECT_NO_THROW((void)mean_log(Values{1e-300}));
}

TEST(Deviations, AreFromTheValuesOwnMeanWithOneDegreeLess) {
  const SumOfSquares got = deviations(Values{1, 2, 6});  // mean 3: 4 + 1 + 9
  EXPECT_DOUBLE_EQ(got.sum, 14);
  EXPECT_EQ(got.degrees, 2);
  EXPECT_DOUBLE_EQ(got.variance(), 7);
}

TEST(Deviations, OfOneValueOrNoneHaveNoDegreeAndNoVariance) {
  for (const auto& values : {Values{}, Values{5}}) {
    const SumOfSquares got = deviations(values);
    EXPECT_EQ(got.sum, 0);
    EXPECT_EQ(got.degrees, 0);
    EXPECT_EQ(got.variance(), 0);
  }
}

TEST(Deviations, PoolBySumsAndDegrees) {
  SumOfSquares pooled = deviations(Values{1, 2, 6});  // 14 on 2
  pooled += deviations(Values{10, 12});               // 1 + 1 = 2 on 1
  EXPECT_DOUBLE_EQ(pooled.sum, 16);
  EXPECT_EQ(pooled.degrees, 3);
  EXPECT_DOUBLE_EQ(pooled.variance(), 16.0 / 3);
}

}  // namespace
}  // namespace perfgate
