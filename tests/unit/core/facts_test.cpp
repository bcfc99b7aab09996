#include "perfgate/core/facts.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(Facts, SayWhyOneIsUnknown) {
  EXPECT_EQ(why_unknown(unknown_fact("Not Supported")), "Not Supported");
  EXPECT_EQ(why_unknown("1980 MHz"), std::nullopt);
  EXPECT_EQ(why_unknown("unknown"), std::nullopt);
  EXPECT_EQ(unknown_fact("Not Supported"), "unknown: Not Supported") << "as results files have it";
}

}  // namespace
}  // namespace perfgate
