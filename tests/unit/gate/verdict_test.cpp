#include "perfgate/gate/verdict.h"

#include <gtest/gtest.h>

#include <string>

namespace perfgate {
namespace {

TEST(Verdict, ComesToOneOfThreeResults) {
  const auto with = [](Result result) {
    std::string out;
    for (const auto& [verdict, name] : kNames<Verdict>) {
      out += result_of(verdict) == result ? std::string(name) + " " : "";
    }
    return out;
  };
  EXPECT_EQ(with(Result::kPass), "PASS SUSPECT IMPROVED ");
  EXPECT_EQ(with(Result::kFail), "REGRESSED UNSTEADY OTHER_KERNELS WRONG LOST ERROR ");
  EXPECT_EQ(with(Result::kNotJudged), "MACHINE_INVALID UNSUPPORTED BLIND NO_BASELINE ");
}

TEST(Verdict, OfTwoFindingsKeepsTheOneThatMoreHasToBeDoneAbout) {
  EXPECT_EQ(worse(Verdict::kSuspect, Verdict::kImproved), Verdict::kSuspect);
  EXPECT_EQ(worse(Verdict::kSuspect, Verdict::kRegressed), Verdict::kRegressed);
  EXPECT_EQ(worse(Verdict::kPass, Verdict::kSuspect), Verdict::kSuspect);
}

}  // namespace
}  // namespace perfgate
