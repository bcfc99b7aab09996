// What a night says of series that have become slower.

#include "perfgate/report/creep_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fixtures/exported.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/merge.h"
#include "perfgate/report/results_json.h"
#include "perfgate/report/summary.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kCase = "gpt_fast/gemv/bf16/N1024/eager";

Outcome passed(const std::string& key) { return testing_support::judged(Verdict::kPass, key); }

SeriesCreep creep() {
  return {kCase,
          "GPU-1",
          kNetTime,
          0.0123,
          9,
          NightBuild{"2026-11-11T03:00:00Z", "aaaa", "2.11.0", "580.1"},
          {"2026-11-12T03:00:00Z", "bbbb", "2.12.0", "580.1"},
          {"2026-11-15T03:00:00Z", "bbbb", "2.12.0", "580.1"},
          {"2026-11-20T03:00:00Z", "bbbb", "2.12.0", "580.1"}};
}

Run run_with_creep() {
  Run out = testing_support::run_of({passed(kCase)});
  out.creeps = {creep()};
  out.exit_code = exit_code_of(out, {});
  return out;
}

TEST(CreepText, SaysHowMuchSinceWhenAndWhatChanged) {
  EXPECT_EQ(creep_text(creep()),
            "gpt_fast/gemv/bf16/N1024/eager, net_time: +1.2 % slower than its reference, over 9 "
            "nights since 2026-11-12 (found on 2026-11-15)");
  EXPECT_EQ(creep_changes(creep()), "LibTorch 2.11.0 -> 2.12.0; commit aaaa -> bbbb");
  auto same = creep();
  same.before.reset();  // it is the first night
  EXPECT_EQ(creep_changes(same), "nothing that the history has");
  same.before = same.now;
  EXPECT_EQ(creep_changes(same), "nothing that the history has");
  same.before->driver.reset();
  EXPECT_EQ(creep_changes(same), "driver unknown -> 580.1");
}

TEST(CreepText, StandsInTheSummaryAndTheExports) {
  const auto run = run_with_creep();
  EXPECT_THAT(summary_text(run, "", false), HasSubstr("CREEP     gpt_fast/gemv"));
  EXPECT_THAT(summary_text(testing_support::run_of({}), "", false), Not(HasSubstr("CREEP")));
  for (const char* format : {"junit", "markdown"}) {
    EXPECT_THAT(testing_support::exported(format, run),
                AllOf(HasSubstr("CREEP"), HasSubstr("2.11.0")))
        << format;
  }
}

TEST(CreepText, FailsTheNight) {
  EXPECT_EQ(exit_code_of(run_with_creep(), {}), ExitCode::kFail);
  auto without = run_with_creep();
  without.creeps.clear();
  EXPECT_EQ(exit_code_of(without, {}), ExitCode::kOk);
}

TEST(CreepText, IsInTheResultsAndInTheMergedNight) {
  const auto document = to_json(run_with_creep());
  const auto read = run_from_json(JsonCursor(document, "results"));
  ASSERT_EQ(read.creeps.size(), 1U);
  EXPECT_EQ(creep_text(read.creeps[0]), creep_text(creep()));
  EXPECT_EQ(creep_changes(read.creeps[0]), creep_changes(creep()));
  auto older = document;
  older.erase("creeps");
  EXPECT_TRUE(run_from_json(JsonCursor(older, "results")).creeps.empty());
  const auto quiet = testing_support::run_of({passed("c/2")});
  const auto nights = merged({read, quiet}, {});
  ASSERT_EQ(nights.size(), 1U);
  EXPECT_EQ(nights[0].creeps.size(), 1U);
  EXPECT_EQ(nights[0].exit_code, ExitCode::kFail);
  EXPECT_EQ(as_one({nights[0], quiet}).creeps.size(), 1U);
}

}  // namespace
}  // namespace perfgate
