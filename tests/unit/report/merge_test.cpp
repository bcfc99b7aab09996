#include "perfgate/report/merge.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing_support::run_of;
using testing_support::unjudged;

constexpr const char* kEarly = "2026-11-21T01:00:00Z";
constexpr const char* kLate = "2026-11-21T02:00:00Z";

Outcome outcome(const std::string& key, Verdict verdict) { return unjudged(verdict, "", key); }

// Of runs on one model.
Run one_night(const std::vector<Run>& runs, const ExitRules& rules) {
  const auto nights = merged(runs, rules);
  EXPECT_EQ(nights.size(), 1u);
  return nights.front();
}

std::vector<std::string> keys_of(const Run& run) {
  std::vector<std::string> out;
  for (const auto& item : run.outcomes) {
    out.push_back(item.case_key);
  }
  return out;
}

TEST(Merged, KeepsWhatTheCasesOfEachRunShowTogether) {
  auto slower = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  slower.global = {testing_support::global_change()};
  slower.moved = "driver 580 -> 590";
  const auto night = one_night({slower, run_of({outcome("b/1", Verdict::kPass)}, kLate)}, {false});
  ASSERT_EQ(night.global.size(), 1U);
  EXPECT_EQ(night.moved, "driver 580 -> 590");
  EXPECT_EQ(night.exit_code, ExitCode::kFail);
  auto shard = run_of({outcome("a/2", Verdict::kPass)}, kLate);
  shard.global = {testing_support::global_change(Verdict::kPass)};
  const auto both = one_night({shard, slower}, {false});
  ASSERT_EQ(both.global.size(), 1U) << "shards judge a group each, and the worst counts";
  EXPECT_EQ(both.global[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(as_one({night, run_of({outcome("c/1", Verdict::kPass)}, kLate)}).global.size(), 1U);
}

TEST(Merged, PutsRunsInOrderOfTheirStartAndAddsTheirTimes) {
  const auto night =
      one_night({run_of({outcome("b/1", Verdict::kPass)}, kLate),
                 run_of({outcome("a/1", Verdict::kPass), outcome("a/2", Verdict::kPass)}, kEarly)},
                {false});
  EXPECT_THAT(keys_of(night), testing::ElementsAre("a/1", "a/2", "b/1"));
  EXPECT_DOUBLE_EQ(night.elapsed_s, 12.4);  // 6.2 each
  EXPECT_EQ(night.info.family, "all");
  EXPECT_EQ(night.info.started, kLate);
  EXPECT_EQ(night.exit_code, ExitCode::kOk);
  EXPECT_FALSE(night.partial);
}

TEST(Merged, NamesEveryDeviceThatRanAPart) {
  auto one = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  auto other = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  one.info.session.device_id = "GPU-1";
  other.info.session.device_id = "GPU-2";
  EXPECT_EQ(one_night({one, other}, {false}).info.session.device_id, "GPU-1, GPU-2");
  EXPECT_EQ(one_night({one, one}, {false}).info.session.device_id, "GPU-1");
}

TEST(Merged, SaysOfASettingWhatItWasInEachRun) {
  auto one = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  auto other = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  one.info.session.settings = {{"ecc", "on"}, {"ONEDNN_MAX_CPU_ISA", "SSE41"}, {"triton", "3.6.0"}};
  other.info.session.settings = {{"ecc", "on"}};
  const auto settings = one_night({one, other}, {false}).info.session.settings;
  EXPECT_EQ(settings.at("ecc"), "on");
  EXPECT_EQ(settings.at("triton"), "3.6.0");  // the other one compiled nothing
  EXPECT_EQ(settings.at("ONEDNN_MAX_CPU_ISA"), "SSE41 or unset");
}

TEST(Merged, CountsACaseByItsWorstOutcomeAndNamesAll) {
  const auto red = run_of({outcome("a/1", Verdict::kRegressed)}, kEarly);
  const auto green = run_of({outcome("a/1", Verdict::kPass)}, kLate);
  for (const auto& runs : {std::vector{red, green}, std::vector{green, red}}) {
    const auto night = one_night(runs, {false});
    ASSERT_EQ(night.outcomes.size(), 1u);
    EXPECT_EQ(night.outcomes[0].verdict, Verdict::kRegressed);
    EXPECT_EQ(night.outcomes[0].message, "measured 2 times, the worst counts: REGRESSED, PASS");
    EXPECT_EQ(night.exit_code, ExitCode::kFail);
  }
  // As --gtest_repeat=2 writes it, into one file.
  const auto twice =
      run_of({outcome("a/1", Verdict::kPass), outcome("a/1", Verdict::kRegressed)}, kEarly);
  EXPECT_EQ(one_night({twice}, {false}).outcomes[0].verdict, Verdict::kRegressed);
}

TEST(Merged, CountsASuspectCaseByWhatWasNotJudgedOfIt) {
  for (const Verdict other : {Verdict::kMachineInvalid, Verdict::kBlind, Verdict::kRegressed}) {
    const auto night = one_night({run_of({outcome("a/1", Verdict::kSuspect)}, kEarly),
                                  run_of({outcome("a/1", other)}, kLate)},
                                 {false});
    EXPECT_EQ(night.outcomes.front().verdict, other);
  }
  const auto night = one_night({run_of({outcome("a/1", Verdict::kPass)}, kEarly),
                                run_of({outcome("a/1", Verdict::kSuspect)}, kLate)},
                               {false});
  EXPECT_EQ(night.outcomes.front().verdict, Verdict::kSuspect);
}

TEST(Merged, KeepsWhatSeveralDevicesSayOfOneCaseApart) {
  auto one = run_of({outcome("a/1", Verdict::kRegressed)}, kEarly);
  auto other = run_of({outcome("a/1", Verdict::kPass)}, kLate);
  one.info.session.device_id = one.outcomes[0].device_id = "GPU-1";
  other.info.session.device_id = other.outcomes[0].device_id = "GPU-2";
  EXPECT_EQ(one_night({one, other}, {false}).outcomes.size(), 2u);
  EXPECT_EQ(one_night({one, other}, {false}).exit_code, ExitCode::kFail);
}

TEST(Merged, MakesANightOfEachModel) {
  auto gpu = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  auto cpu = run_of({outcome("a/1", Verdict::kRegressed)}, kLate);
  cpu.info.device = {"cpu", "Some CPU", {}};
  cpu.info.session.libtorch = "2.13.0";  // each device has its own
  const auto nights = merged({cpu, gpu}, {});
  ASSERT_EQ(nights.size(), 2u);
  EXPECT_EQ(nights[0].info.device.model, gpu.info.device.model);
  EXPECT_EQ(nights[1].outcomes[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(exit_code_of(nights), ExitCode::kFail);
  EXPECT_EQ(as_one(nights).outcomes.size(), 2u);
  EXPECT_EQ(as_one(nights).exit_code, ExitCode::kFail);
}

std::string refusal_of(const std::vector<Run>& runs) {
  try {
    (void)merged(runs, {});
  } catch (const UsageError& error) {
    return error.problem();
  }
  return "accepted";
}

TEST(Merged, RefusesWhatIsNotOneNightByName) {
  auto one = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  one.source = "one.json";
  auto other = one;
  other.source = "other.json";
  EXPECT_EQ(refusal_of({one, other}), "accepted");
  other.info.session.commit = "newer";
  EXPECT_EQ(refusal_of({one, other}),
            "one.json and other.json are not one night: of commits new and newer");
  other = one;
  other.source = "other.json";
  other.info.session.libtorch = "2.14.0";
  EXPECT_EQ(refusal_of({one, other}),
            "one.json and other.json are not one night: with LibTorch 2.12.0 and 2.14.0");
  other = one;
  other.source = "other.json";
  other.info.started = "2026-11-21T17:00:01Z";
  EXPECT_EQ(refusal_of({one, other}),
            "one.json and other.json are not one night: started at 2026-11-21T01:00:00Z and "
            "2026-11-21T17:00:01Z");
  other.info.started = "2026-11-21T17:00:00Z";
  EXPECT_EQ(refusal_of({one, other}), "accepted");
}

TEST(Merged, IsPartialWhereAShardIsMissing) {
  auto first = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  first.info.shards = 2;
  EXPECT_TRUE(one_night({first}, {false}).partial);
  EXPECT_EQ(one_night({first}, {false}).exit_code, ExitCode::kFail);
  auto second = first;
  second.info.shard = 1;
  EXPECT_FALSE(one_night({first, second}, {false}).partial);
}

TEST(Merged, CountsTheExitCodeOfAProcessThatLeftNoOutcome) {
  auto failed = run_of({}, kEarly);
  failed.exit_code = ExitCode::kFail;
  const auto ok = run_of({outcome("a/1", Verdict::kPass)}, kLate);
  EXPECT_EQ(one_night({failed, ok}, {false}).exit_code, ExitCode::kFail);
  failed.exit_code = ExitCode::kSkipped;
  EXPECT_EQ(one_night({failed, ok}, {false}).exit_code, ExitCode::kOk);
}

TEST(Merged, ExitsWithTheStrongestOfAllRuns) {
  const auto ok = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  const auto unfit = run_of({outcome("b/1", Verdict::kMachineInvalid)}, kLate);
  const auto red = run_of({outcome("c/1", Verdict::kLost)}, kLate);
  const auto unrecorded = run_of({outcome("d/1", Verdict::kNoBaseline)}, kLate);
  EXPECT_EQ(one_night({ok, unfit}, {false}).exit_code, ExitCode::kRefused);
  EXPECT_EQ(one_night({ok, unfit, red}, {false}).exit_code, ExitCode::kFail);
  EXPECT_EQ(one_night({ok, unrecorded}, {false}).exit_code, ExitCode::kOk);
  EXPECT_EQ(one_night({ok, unrecorded}, {true}).exit_code, ExitCode::kFail);
}

TEST(Merged, IsPartialWhenAnyRunWas) {
  auto cut = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  cut.partial = true;
  const auto whole = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  EXPECT_TRUE(one_night({cut, whole}, {false}).partial);
  EXPECT_FALSE(one_night({whole}, {false}).partial);
}

TEST(Merged, NamesWhatDidNotEndAndWhatIsMissing) {
  auto killed = run_of({}, kEarly);
  killed.source = "results/killed.json";
  killed.partial = true;
  killed.exit_code = ExitCode::kFail;
  killed.info.session.libtorch = "";
  auto cut = run_of({outcome("a/1", Verdict::kPass)}, kEarly);
  cut.source = "results/cut.json";
  cut.partial = true;
  auto shard = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  shard.info.family = "b";
  shard.info.shards = 3;
  const auto night = one_night({killed, cut, shard}, {false});
  EXPECT_THAT(night.unfinished,
              testing::ElementsAre("results/killed.json ended before it measured anything",
                                   "results/cut.json was ended before it was done",
                                   "2 of 3 shards of b left no results"));
  EXPECT_EQ(night.exit_code, ExitCode::kFail);
  EXPECT_EQ(night.info.session.libtorch, "2.12.0") << "of a run that knows it";
  EXPECT_TRUE(one_night({run_of({outcome("a/1", Verdict::kPass)})}, {false}).unfinished.empty());
}

TEST(Merged, CountsWhatWasSelectedAndDidNotRunAsNotJudged) {
  auto skipped = run_of({}, kEarly);
  skipped.not_run = {"a/1", "a/2"};
  skipped.exit_code = exit_code_of(skipped, {});
  EXPECT_EQ(skipped.exit_code, ExitCode::kSkipped);
  const auto ok = run_of({outcome("b/1", Verdict::kPass)}, kLate);
  const auto night = one_night({skipped, ok}, {false});
  EXPECT_THAT(night.not_run, testing::ElementsAre("a/1", "a/2"));
  EXPECT_EQ(night.exit_code, ExitCode::kRefused);
  const auto again =
      run_of({outcome("a/1", Verdict::kPass), outcome("a/2", Verdict::kPass)}, kLate);
  EXPECT_TRUE(one_night({skipped, ok, again}, {false}).not_run.empty()) << "another run has them";
  EXPECT_EQ(one_night({skipped, ok, again}, {false}).exit_code, ExitCode::kOk);
}

TEST(Merged, RefusesANightWithoutARun) {
  EXPECT_THROW((void)merged({}, {false}), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate
