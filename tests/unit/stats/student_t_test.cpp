// Reference values: scipy 1.17.1, stats.t.isf and stats.norm.isf (quantiles), .sf (tails).
#include "perfgate/stats/student_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfgate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Quantile {
  double upper_tail;
  double degrees;
  double t;
};

// 0.01/60 is one case's share of a night's false alarms; 1e-4/60 a hundredth of that.
constexpr Quantile kQuantiles[] = {{0.025, 1, 12.7062047362},
                                   {0.01 / 60, 1, 1909.85914257},
                                   {1e-4 / 60, 1, 190985.931709},
                                   {0.9, 1, -3.07768353718},
                                   {0.025, 2, 4.30265272975},
                                   {1e-4 / 60, 2, 547.721188198},
                                   {0.025, 4, 2.7764451052},
                                   {0.01 / 60, 4, 11.4384012522},
                                   {1e-4 / 60, 4, 36.582893201},
                                   {0.01 / 60, 9.5, 5.45603060345},
                                   {1e-4 / 60, 9.5, 9.61653927924},
                                   {0.025, 30, 2.0422724563},
                                   {1e-4 / 60, 30, 5.68918463771},
                                   {0.025, 1e6, 1.95996635681},
                                   {0.025, kInfinity, 1.95996398454},
                                   {0.01 / 60, kInfinity, 3.58791467229},
                                   {1e-4 / 60, kInfinity, 4.64913293401},
                                   {0.9, kInfinity, -1.28155156554}};

TEST(StudentTQuantile, AgreesWithScipyAndIsInvertedByTheTail) {
  for (const auto& [upper_tail, degrees, t] : kQuantiles) {
    SCOPED_TRACE(testing::Message() << upper_tail << " on " << degrees << " degrees");
    const double got = student_t_quantile(upper_tail, degrees);
    EXPECT_NEAR(got / t, 1, 1e-10);
    EXPECT_NEAR(student_t_upper_tail(got, degrees) / upper_tail, 1, 1e-9);
  }
}

TEST(StudentTUpperTail, AgreesWithScipy) {
  EXPECT_NEAR(student_t_upper_tail(2, 4) / 0.0580582617584, 1, 1e-10);
  EXPECT_NEAR(student_t_upper_tail(10, 9.5) / 1.18519271043e-06, 1, 1e-10);
  EXPECT_NEAR(student_t_upper_tail(-1, 3) / 0.804498890522, 1, 1e-10);
  EXPECT_NEAR(student_t_upper_tail(5, kInfinity) / 2.86651571879e-07, 1, 1e-10);
  EXPECT_DOUBLE_EQ(student_t_upper_tail(0, 7), 0.5);
}

TEST(StudentTQuantile, PassesIntoTheNormalWithoutAStep) {
  const double below = student_t_quantile(1e-6, 0.99e8);
  const double above = student_t_quantile(1e-6, 1.01e8);
  EXPECT_NEAR(below / above, 1, 1e-6);
}

TEST(StudentTQuantile, IsInfiniteWhereNoDoubleHoldsIt) {
  EXPECT_EQ(student_t_quantile(1e-5, 0.001), kInfinity);
  EXPECT_TRUE(std::isfinite(student_t_quantile(1e-5, 0.1)));  // 1.6e46
}

TEST(StudentTQuantile, RefusesTailsThatAreNoProbability) {
  for (const double tail : {0.0, 1.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((void)student_t_quantile(tail, 4), std::invalid_argument);
  }
  EXPECT_NO_THROW((void)student_t_quantile(0.5, 4));
}

TEST(StudentT, RefusesDegreesNotAboveZero) {
  for (const double degrees : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((void)student_t_quantile(0.025, degrees), std::invalid_argument);
    EXPECT_THROW((void)student_t_upper_tail(2, degrees), std::invalid_argument);
  }
  EXPECT_NO_THROW((void)student_t_upper_tail(2, 0.5));
}

}  // namespace
}  // namespace perfgate
