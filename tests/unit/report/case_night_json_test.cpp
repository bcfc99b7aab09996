// Lines of a history, written, read back, edited and broken.

#include "perfgate/report/case_night_json.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <cmath>

#include <nlohmann/json.hpp>

#include "fixtures/case_nights.h"
#include "fixtures/message_of.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::case_night;
using testing_support::kMetric;
using testing_support::message_of;

CaseNight of_two_metrics() {
  auto out = case_night(1);
  out.metrics[kCycles] = {12345.67, -0.0012, std::nullopt, 2, Verdict::kImproved};
  return out;
}

// Without the newline.
std::string line() {
  std::string out = line_of(of_two_metrics());
  out.pop_back();
  return out;
}

std::string reread(const std::string& text) {
  CaseNightReader reader("a file");
  return line_of(*reader.read(text, 1));
}

std::string refusal(const std::string& text) {
  return message_of([&] { CaseNightReader("a file").read(text, 7); });
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(CaseNightJson, IsReadAsItWasWritten) {
  CaseNightReader reader("a file");
  const auto& night = *reader.read(line(), 1);
  EXPECT_EQ(night.time, "2026-12-01T03:00:00Z");
  EXPECT_EQ(night.model, "Test GPU");
  EXPECT_EQ(night.driver, "580.1");
  EXPECT_EQ(night.case_key, testing_support::kKey);
  EXPECT_EQ(night.workers, 1);
  ASSERT_EQ(night.metrics.size(), 2U);
  const auto& series = night.metrics.at(kMetric);
  EXPECT_EQ(series.value, 100);
  EXPECT_EQ(series.change.log, 0.001);
  ASSERT_TRUE(series.noise);
  EXPECT_EQ(series.noise->night, 0.002);
  EXPECT_EQ(series.noise->reference, 0.001);
  EXPECT_EQ(series.sessions, 3);
  EXPECT_FALSE(night.metrics.at(kCycles).noise);
  EXPECT_EQ(night.metrics.at(kCycles).verdict, Verdict::kImproved);
  EXPECT_EQ(reread(line()), line() + "\n");
}

TEST(CaseNightJson, IsReadAlikeHoweverItIsWritten) {
  // Other spaces and another order of keys are read by the strict reader.
  const auto document = nlohmann::json::parse(line());
  EXPECT_NE(document.dump(), line());
  EXPECT_EQ(reread(document.dump()), line() + "\n");
  EXPECT_EQ(reread(document.dump(1)), line() + "\n");
}

TEST(CaseNightJson, OfLinesThatBeginAlikeAndOtherwise) {
  CaseNightReader reader("a file");
  auto other_case = case_night(1);
  other_case.case_key = "demo/case/D2/eager";
  auto other_build = case_night(1);
  other_build.libtorch = "2.14.0";
  other_build.driver.reset();
  for (const auto& night : {case_night(1), other_case, other_build, case_night(1), case_night(2)}) {
    std::string text = line_of(night);
    text.pop_back();
    EXPECT_EQ(line_of(*reader.read(text, 1)), text + "\n");
  }
}

TEST(CaseNightJson, OfACaseThatWasNotJudgedHasNoFigures) {
  auto night = case_night(1);
  night.verdict = Verdict::kMachineInvalid;
  night.workers = 0;
  night.revision.clear();
  night.metrics.clear();
  std::string text = line_of(night);
  text.pop_back();
  EXPECT_THAT(text, HasSubstr(R"("metrics":{}})"));
  EXPECT_EQ(reread(text), text + "\n");
}

TEST(CaseNightJson, HasAnImprovementThatIsNotRecorded) {
  auto night = case_night(1);
  night.improvement = {{kMetric, {80.125, 81.0 / 7}}, {kCycles, {3}}};
  CaseNightReader reader("a file");
  std::string text = line_of(night);
  text.pop_back();
  EXPECT_EQ(reader.read(text, 1)->improvement, night.improvement);
  EXPECT_TRUE(reader.read(line(), 2)->improvement.empty()) << "the next line has none";
  EXPECT_THAT(refusal(replaced(text, "80.125", "0")), HasSubstr("/improvement/net_time/0"));
  EXPECT_THAT(refusal(replaced(text, R"("improvement":{"net_time)", R"("improvement":{"time_net)")),
              HasSubstr("no metric"));
}

TEST(CaseNightJson, KeepsNamesThatNeedEscapes) {
  auto night = case_night(1);
  night.model = "a \"GPU\" \\ of M\xc3\xbcller";
  std::string text = line_of(night);
  text.pop_back();
  EXPECT_EQ(CaseNightReader("a file").read(text, 1)->model, night.model);
}

TEST(CaseNightJson, NamesFileLineAndPlaceOfWhatIsWrong) {
  EXPECT_THAT(refusal(replaced(line(), R"("value":100)", R"("value":-1)")),
              AllOf(HasSubstr("a file, line 7"), HasSubstr("/metrics/net_time/value")));
  EXPECT_THAT(refusal(replaced(line(), "03:00:00Z", "3 am")), HasSubstr("/time"));
  EXPECT_THAT(refusal(replaced(line(), R"("workers":1)", R"("workers":-1)")),
              HasSubstr("/workers"));
  EXPECT_THAT(refusal(replaced(line(), "PASS", "FINE")), HasSubstr("/verdict"));
  EXPECT_THAT(refusal(replaced(line(), "net_time", "new_time")), HasSubstr("no metric"));
  EXPECT_THAT(refusal(replaced(line(), "\"time\"", "\"Time\"")), HasSubstr("Time"));
  EXPECT_THAT(refusal(replaced(line(), ",\"degrees\":1e+06", "")), HasSubstr("degrees"));
  EXPECT_THAT(refusal(replaced(line(), "\"sessions\":3", "\"sessions\":0")),
              HasSubstr("/sessions"));
  EXPECT_THAT(refusal(replaced(line(), "\"schema_version\":1", "\"schema_version\":2")),
              HasSubstr("written by another perfgate"));
  EXPECT_THAT(refusal(line().substr(0, 100)), HasSubstr("a file, line 7"));
  EXPECT_THAT(refusal(line() + "}"), HasSubstr("a file, line 7"));
  EXPECT_THAT(refusal(replaced(line(), "100,", "0100,")), HasSubstr("a file, line 7"));
  EXPECT_THAT(refusal(""), HasSubstr("a file, line 7"));
}

TEST(CaseNightJson, PassesOverALineWithANumberThatIsNone) {
  CaseNightReader reader("a file");
  for (const char* none : {"inf", "-inf", "nan", "-nan"}) {
    const auto poisoned = replaced(line(), R"("change":0.001)", std::string("\"change\":") + none);
    EXPECT_EQ(reader.read(poisoned, 1), nullptr) << poisoned;
    ASSERT_NE(reader.read(line(), 2), nullptr);
  }
}

TEST(CaseNightJson, KnowsWhichNightsCanBeReadAgain) {
  EXPECT_TRUE(is_readable(case_night(1)));
  for (const double change : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    EXPECT_FALSE(is_readable(case_night(1, change)));
  }
  auto night = case_night(1);
  night.metrics.begin()->second.noise->night = 0;
  EXPECT_FALSE(is_readable(night));
  night = case_night(1);
  night.commit = "a\x1b[2J\xff";
  EXPECT_TRUE(is_readable(night)) << "a text is made plain, a number cannot be";
}

TEST(CaseNightJson, GoesOnBehindALineThatWasRefused) {
  CaseNightReader reader("a file");
  EXPECT_THROW(reader.read("{}", 1), UsageError);
  EXPECT_EQ(line_of(*reader.read(line(), 2)), line() + "\n");
}

}  // namespace
}  // namespace perfgate
