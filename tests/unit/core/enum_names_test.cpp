#include "perfgate/core/enum_names.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

enum class Colour { kRed, kGreen, kUnlisted };
}  // namespace

template <>
inline constexpr EnumNames<Colour, 2> kNames<Colour> = {
    {{Colour::kRed, "red"}, {Colour::kGreen, "green"}}};

namespace {

TEST(EnumNames, AreReadBackAsTheyAreWritten) {
  for (const auto& [value, name] : kNames<Colour>) {
    EXPECT_EQ(name_of(value), name);
    EXPECT_EQ(from_name<Colour>(name), value);
  }
}

TEST(EnumNames, KnowNothingElse) {
  EXPECT_FALSE(from_name<Colour>("Red").has_value());
  EXPECT_FALSE(from_name<Colour>("").has_value());
  EXPECT_THROW((void)name_of(Colour::kUnlisted), std::logic_error);
  EXPECT_EQ(all_names<Colour>(), "red, green");
}

}  // namespace
}  // namespace perfgate
