#include "perfgate/stats/moments.h"

#include <gtest/gtest.h>

#include <vector>

namespace perfgate {
namespace {

TEST(Moments, OfTwoPartsAreThoseOfTheWhole) {
  const std::vector<double> whole = {3, 1, 4, 1.5, 9, 2.6};
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    Moments parts = moments_of(std::span(whole).first(cut));
    parts += moments_of(std::span(whole).subspan(cut));
    EXPECT_EQ(parts.count, 6);
    EXPECT_NEAR(parts.mean, mean(whole), 1e-12) << cut;
    EXPECT_NEAR(parts.deviations().sum, deviations(whole).sum, 1e-12) << cut;
    EXPECT_EQ(parts.deviations().degrees, 5);
  }
}

TEST(Moments, OfNothingTellNothing) {
  Moments none = moments_of({});
  none += Moments{};
  EXPECT_EQ(none.count, 0);
  EXPECT_EQ(none.deviations().degrees, 0);
}

// The textbook's sum of squares less the square of the sum is 0 here, or negative.
TEST(Moments, KeepASpreadThatIsSmallBesideTheMean) {
  Moments out;
  for (const double value : {1e9 + 1, 1e9 + 2, 1e9 + 3}) {
    out += {1, value, 0};
  }
  EXPECT_NEAR(out.squares, 2, 1e-6);
}

}  // namespace
}  // namespace perfgate
