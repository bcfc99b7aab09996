#include "perfgate/report/merge.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "outcomes.h"

namespace perfgate {
namespace {

using testing_support::run_of;
using testing_support::unjudged;

constexpr const char* kEarly = "2026-11-21T01:00:00Z";
constexpr const char* kLate = "2026-11-21T02:00:00Z";

Outcome outcome(const std::string& key, Verdict verdict) { return unjudged(verdict, "", key); }

std::vector<std::string> keys_of(const Run& run) {
  std::vector<std::string> out;
  for (const auto& item : run.outcomes) {
    out.push_back(item.case_key);
  }
  return out;
}

TEST(Merged, PutsRunsInOrderOfTheirStartAndAddsTheirTimes) {
  const auto night =
      merged({run_of({outcome("b/1", Verdict::kPass)}, kLate),
              run_of({outcome("a/1", Verdict::kPass), outcome("a/2", Verdict::kPass)}, kEarly)},
             false);
  EXPECT_THAT(keys_of(night), testing::ElementsAre("a/1", "a/2", "b/1"));
  EXPECT_DOUBLE_EQ(night.elapsed_s, 12.4);  // 6.2 each
  EXPECT_EQ(night.info.family, "all");
  EXPECT_EQ(night.info.started, kLate);
  EXPECT_EQ(night.exit_code, ExitCode::kOk);
  EXPECT_FALSE(night.partial);
}

TEST(Merged, NamesEveryUnitThatRanAPart) {
  auto one = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  auto other = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  one.info.session.unit = "GPU-1";
  other.info.session.unit = "GPU-2";
  EXPECT_EQ(merged({one, other}, false).info.session.unit, "GPU-1, GPU-2");
  EXPECT_EQ(merged({one, one}, false).info.session.unit, "GPU-1");
}

TEST(Merged, CountsACaseAsInTheRunThatStartedLast) {
  const auto red = run_of({outcome("a/1", Verdict::kRegressed)}, kLate);
  const auto green = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  auto night = merged({red, green}, false);
  ASSERT_EQ(night.outcomes.size(), 1u);
  EXPECT_EQ(night.outcomes[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(night.exit_code, ExitCode::kFail);

  auto red_early = red;
  red_early.info.started = "2026-11-20T01:00:00Z";
  night = merged({red_early, green}, false);
  ASSERT_EQ(night.outcomes.size(), 1u);
  EXPECT_EQ(night.outcomes[0].verdict, Verdict::kPass);
  EXPECT_EQ(night.exit_code, ExitCode::kOk);
}

TEST(Merged, ExitsWithTheStrongestOfAllRuns) {
  const auto ok = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  const auto unfit = run_of({outcome("b/1", Verdict::kMachineInvalid)}, kLate);
  const auto red = run_of({outcome("c/1", Verdict::kLost)}, kLate);
  const auto unrecorded = run_of({outcome("d/1", Verdict::kNoBaseline)}, kLate);
  EXPECT_EQ(merged({ok, unfit}, false).exit_code, ExitCode::kRefused);
  EXPECT_EQ(merged({ok, unfit, red}, false).exit_code, ExitCode::kFail);
  EXPECT_EQ(merged({ok, unrecorded}, false).exit_code, ExitCode::kOk);
  EXPECT_EQ(merged({ok, unrecorded}, true).exit_code, ExitCode::kFail);
}

TEST(Merged, IsPartialWhenAnyRunWas) {
  auto cut = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  cut.partial = true;
  const auto whole = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  EXPECT_TRUE(merged({cut, whole}, false).partial);
  EXPECT_FALSE(merged({whole}, false).partial);
}

TEST(Merged, RefusesANightWithoutARun) {
  EXPECT_THROW((void)merged({}, false), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate
