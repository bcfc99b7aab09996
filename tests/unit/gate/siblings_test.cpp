#include "perfgate/gate/siblings.h"

#include <gtest/gtest.h>

#include <map>

#include "fixtures/device_effect_fixture.h"

namespace perfgate {
namespace {

using testing_support::kMetric;
using testing_support::sibling_key;

TEST(SiblingChanges, OfACaseAreThoseOfTheOthers) {
  const Baseline baseline = testing_support::many_cases(1, testing_support::kEffects);
  const auto group = sibling_group(sibling_key(0), baseline.cases.at(sibling_key(0)), kMetric);
  SiblingChanges changes;
  for (const auto& [i, change] :
       std::map<int, double>{{0, 0.5}, {1, 0.01}, {2, 0.02}, {3, 0.03}, {4, 0.04}, {5, 0.05}}) {
    changes.add(group, sibling_key(i), {change});
  }
  const auto found = changes.beside(group, sibling_key(0), 5);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->value, 0.03, 1e-12);
  EXPECT_EQ(found->siblings, 5);
  // The median distance is 0.01; the median of five normal values has 0.2868 of their variance.
  EXPECT_NEAR(found->variance, 0.014826 * 0.014826 * 0.2868, 1e-7);
  EXPECT_FALSE(changes.beside(group, sibling_key(0), 6).has_value());
  EXPECT_TRUE(changes.beside(group, sibling_key(7), 6).has_value()) << "it is none of the six";
}

}  // namespace
}  // namespace perfgate
