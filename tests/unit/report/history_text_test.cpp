#include "perfgate/report/history_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/case_nights.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::kKey;

// The night's value is what its change makes of a reference of 100 us.
CaseNight night_of(int day, double change) {
  CaseNight out = testing_support::case_night(day, change);
  out.metrics.at(testing_support::kMetric).value = 100 * std::exp(change);
  return out;
}

// Twenty nights; from the eleventh on LibTorch 2.14.0, and slower by 0.03 in logs, 3.05 %.
std::vector<CaseNight> nights_with_a_step() {
  std::vector<CaseNight> out;
  for (int day = 1; day <= 20; ++day) {
    const double noise = day % 2 == 0 ? 0.001 : day % 3 == 0 ? -0.0015 : 0.0004;
    out.push_back(night_of(day, (day > 10 ? 0.03 : 0) + noise));
    out.back().libtorch = day > 10 ? "2.14.0" : "2.13.0";
  }
  return out;
}

CaseNight of(CaseNight night, const std::string& key) {
  night.case_key = key;
  return night;
}

TEST(HistoryText, ShowsTheLastNightsOfACaseAndWhereItsLevelChanged) {
  const auto text = history_text(nights_with_a_step(), "Test GPU", {kKey, "", 5});
  EXPECT_THAT(text, HasSubstr("20 nights"));
  EXPECT_THAT(text, HasSubstr("2026-12-20 03:00"));
  EXPECT_THAT(text, Not(HasSubstr("2026-12-15 03:00")));
  EXPECT_THAT(text, HasSubstr("changed on 2026-12-11 03:00 by +3.0 % slower: LibTorch 2.13.0 -> "
                              "2.14.0"));
}

TEST(HistoryText, CallsANightBlindThatWas) {
  auto nights = nights_with_a_step();
  EXPECT_THAT(history_text(nights, "Test GPU", {kKey, "", 1}), Not(HasSubstr("BLIND")));
  nights.back().verdict = Verdict::kBlind;
  const auto text = history_text(nights, "Test GPU", {kKey, "", 1});
  EXPECT_THAT(text, HasSubstr("BLIND"));
  EXPECT_THAT(text, Not(HasSubstr("PASS")));
  EXPECT_THAT(history_text(nights, "Test GPU", {kKey, "", 2}), HasSubstr("PASS"));
}

TEST(HistoryText, TakesAnAcceptedChangeForNoSpeedUp) {
  auto nights = nights_with_a_step();
  for (auto& night : nights) {  // a new reference on the sixteenth
    if (night.time >= "2026-12-16") {
      night.metrics.begin()->second.change.log -= 0.03;
      night.revision = "s20";
    }
  }
  const auto text = history_text(nights, "Test GPU", {kKey, "", 20});
  EXPECT_THAT(text, HasSubstr("changed on 2026-12-11 03:00 by +3.0 % slower"));
  EXPECT_THAT(text, Not(HasSubstr("faster")));
}

TEST(HistoryText, SaysWhereNoLevelChanged) {
  auto nights = nights_with_a_step();
  nights.resize(10);
  EXPECT_THAT(history_text(nights, "Test GPU", {kKey, "", 5}), HasSubstr("no change of level"));
}

TEST(HistoryText, HasTheWorstChangesFirstSinceADayOrALibTorch) {
  auto nights = nights_with_a_step();
  for (const auto& night : nights_with_a_step()) {
    nights.push_back(of(night_of(1, 0.001), "demo/steady"));
    nights.back().time = night.time;
    nights.back().libtorch = night.libtorch;
  }
  for (const std::string since : {"2026-12-11", "2.14.0", ""}) {
    const auto text = history_text(nights, "Test GPU", {"", since, 5});
    EXPECT_LT(text.find(kKey), text.find("demo/steady")) << text;
    EXPECT_THAT(text, HasSubstr("10 before, 10 since"));
    EXPECT_THAT(text, HasSubstr("+3.0 %"));
  }
}

TEST(HistoryText, TellsWhatGotSlowerInTheLastNights) {
  HistoryQuestion question;
  question.slower_in_last = 10;
  EXPECT_THAT(history_text(nights_with_a_step(), "Test GPU", question),
              HasSubstr("10 before, 10 since"));
  question.slower_in_last = 3;
  EXPECT_THAT(history_text(nights_with_a_step(), "Test GPU", question),
              HasSubstr("17 before, 3 since"));
  question.slower_in_last = 20;  // none is before
  EXPECT_THROW(history_text(nights_with_a_step(), "Test GPU", question), UsageError);
}

TEST(HistoryText, RefusesACaseOrADayThatItDoesNotHave) {
  const auto nights = nights_with_a_step();
  EXPECT_THROW(history_text(nights, "Test GPU", {"demo/none", "", 5}), UsageError);
  EXPECT_THROW(history_text(nights, "Test GPU", {"", "2027-01-01", 5}), UsageError);
  EXPECT_THROW(history_text(nights, "Test GPU", {"", "2.15.0", 5}), UsageError);
  EXPECT_THROW(history_text({}, "Test GPU", {"", "", 5}), UsageError);
}

}  // namespace
}  // namespace perfgate
