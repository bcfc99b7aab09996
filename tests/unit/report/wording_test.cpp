#include "perfgate/report/wording.h"

#include <gtest/gtest.h>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing_support::judged;

TEST(TimeText, HasThreeSignificantDigitsAndAUnit) {
  EXPECT_EQ(time_text(8.1), "8.10 us");
  EXPECT_EQ(time_text(81), "81.0 us");
  EXPECT_EQ(time_text(810.4), "810 us");
  EXPECT_EQ(time_text(1380), "1.38 ms");
  EXPECT_EQ(time_text(45.6e3), "45.6 ms");
  EXPECT_EQ(time_text(2.05e6), "2.05 s");
  EXPECT_EQ(time_text(345e6), "345 s");
  EXPECT_EQ(time_text(0.05), "0.05 us");
}

TEST(TimeText, KeepsThreeDigitsWhereRoundingCarries) {
  EXPECT_EQ(time_text(9.994), "9.99 us");
  EXPECT_EQ(time_text(9.996), "10.0 us");
  EXPECT_EQ(time_text(99.94), "99.9 us");
  EXPECT_EQ(time_text(99.96), "100 us");
}

TEST(TimeText, TakesTheNextUnitWhereRoundingReachesIt) {
  EXPECT_EQ(time_text(999.4), "999 us");
  EXPECT_EQ(time_text(999.6), "1.00 ms");
  EXPECT_EQ(time_text(1000), "1.00 ms");
  EXPECT_EQ(time_text(999.4e3), "999 ms");
  EXPECT_EQ(time_text(999.6e3), "1.00 s");
  EXPECT_EQ(time_text(1e6), "1.00 s");
}

TEST(PercentText, HasOneDecimalBelowAHundred) {
  EXPECT_EQ(percent_text(0.026), "2.6 %");
  EXPECT_EQ(percent_text(0), "0.0 %");
  EXPECT_EQ(percent_text(-0.5), "-50.0 %");
  EXPECT_EQ(percent_text(0.9994), "99.9 %");
  EXPECT_EQ(percent_text(0.9996), "100 %");
  EXPECT_EQ(percent_text(12.34), "1234 %");
}

TEST(ValueText, WritesEachUnitItsWay) {
  EXPECT_EQ(value_text(1380, Unit::kMicroseconds), "1.38 ms");
  EXPECT_EQ(value_text(0.724, Unit::kRatio), "72.4 %");
  EXPECT_EQ(value_text(0.09994, Unit::kRatio), "9.99 %");
  EXPECT_EQ(value_text(0.00812, Unit::kRatio), "0.81 %");
  EXPECT_EQ(value_text(3207, Unit::kGbPerS), "3207 GB/s");
  EXPECT_EQ(value_text(55.51, Unit::kGflopPerS), "55.5 GFLOP/s");
  EXPECT_EQ(value_text(11.34e6, Unit::kCycles), "11.3 Mcycles");
  EXPECT_EQ(value_text(81234, Unit::kCycles), "81.2 kcycles");
}

TEST(CeilingText, TakesTheUnitFromTheName) {
  EXPECT_EQ(ceiling_text({"dram_read", Unit::kGbPerS}, 4505.2), "dram read 4505 GB/s");
  EXPECT_EQ(ceiling_text({"fma", Unit::kGflopPerS}, 198.04), "fma 198 GFLOP/s");
  EXPECT_EQ(ceiling_text({"bf16", Unit::kGflopPerS}, 9.119e5), "bf16 912 TFLOP/s");
  EXPECT_EQ(ceiling_text({"int8", Unit::kGopPerS}, 1.912e6), "int8 1912 TOP/s");
  EXPECT_EQ(ceiling_text({"event_floor", Unit::kMicroseconds}, 4.4123), "event floor 4.41 us");
}

TEST(ChangeText, CarriesASign) {
  EXPECT_EQ(change_text(0.001), "+0.1 %");
  EXPECT_EQ(change_text(-0.001), "-0.1 %");
  EXPECT_EQ(change_text(0), "+0.0 %");
}

TEST(ChangeInWords, CallsSlowerWhatIsATimeAndNothingElse) {
  EXPECT_EQ(change_in_words(kTime, 0.026), "+2.6 % slower");
  EXPECT_EQ(change_in_words(kUtilisation, -0.012), "-1.2 % faster");
  EXPECT_EQ(change_in_words(kPeakMemory, 0.026), "+2.6 % more");
  const Metric own{Phase::kWhole, Quantity::kOwn,
                   own_quantity("accepted", Unit::kCount, Better::kHigher)};
  EXPECT_EQ(change_in_words(own, 0.026), "+2.6 % worse");
  EXPECT_EQ(change_in_words(own, -0.026), "-2.6 % better");
  EXPECT_EQ(change_in_words(own, 0.0004), "+0.0 %");
}

TEST(ChangeText, GivesNoMinusToAChangeThatRoundsToNothing) {
  EXPECT_EQ(change_text(0.0004), "+0.0 %");
  EXPECT_EQ(change_text(-0.0004), "+0.0 %");
}

TEST(MedianMeasurement, IsTheMedianOverWorkersThatMeasured) {
  Outcome outcome = judged();  // 81.0 81.1 80.9 81.0 81.2
  EXPECT_EQ(median_measurement(outcome, kTime), 81.0);
  outcome.reports[0].status = WorkerStatus::kError;
  outcome.reports[3].status = WorkerStatus::kError;  // 81.1 80.9 81.2 are left
  EXPECT_EQ(median_measurement(outcome, kTime), 81.1);
}

TEST(MedianMeasurement, IsNothingWhereNobodyMeasuredIt) {
  EXPECT_FALSE(median_measurement(judged(), kBusyTime).has_value());
  EXPECT_FALSE(median_measurement(Outcome{}, kTime).has_value());
}

TEST(RateOf, IsBytesOrOperationsOverTimeByTheBound) {
  Outcome outcome = judged();
  for (auto& report : outcome.reports) {
    report.metrics[kTime].value = 100;
  }
  // 270000 B / 100 us = 2.7 GB/s; 540000 operations / 100 us = 5.4 GFLOP/s
  EXPECT_DOUBLE_EQ(rate_of(outcome, Phase::kWhole)->value, 2.7);
  EXPECT_EQ(rate_of(outcome, Phase::kWhole)->unit, Unit::kGbPerS);
  outcome.reports[0].phases[Phase::kWhole].traffic.bound = Bound::kCompute;
  EXPECT_DOUBLE_EQ(rate_of(outcome, Phase::kWhole)->value, 5.4);
  EXPECT_EQ(rate_of(outcome, Phase::kWhole)->unit, Unit::kGflopPerS);
  outcome.reports[0].phases[Phase::kWhole].traffic.integer = true;
  EXPECT_EQ(rate_of(outcome, Phase::kWhole)->unit, Unit::kGopPerS);
}

TEST(RateOf, IsTokensOverTimeWhereThereAreAny) {
  Outcome outcome = judged();
  for (auto& report : outcome.reports) {
    report.metrics[kTime].value = 5e5;
  }
  outcome.reports[0].phases[Phase::kWhole].traffic.tokens = 24;
  EXPECT_DOUBLE_EQ(rate_of(outcome, Phase::kWhole)->value, 48);
  EXPECT_EQ(rate_of(outcome, Phase::kWhole)->unit, Unit::kTokensPerS);
  EXPECT_EQ(columns_of(outcome, Phase::kWhole).rate, "48.0 tokens/s");
}

TEST(RateOf, IsNothingWithoutATime) {
  EXPECT_FALSE(rate_of(testing_support::wrong(), Phase::kWhole).has_value());
  EXPECT_FALSE(rate_of(Outcome{}, Phase::kWhole).has_value());
}

TEST(Measurements, AreListedWithTheUnitThatTheyHaveInCommon) {
  EXPECT_EQ(values_text({81, 81.13, 80.9}, Unit::kMicroseconds), "81.0  81.1  80.9 us");
  EXPECT_EQ(values_text({999, 1001, 1002}, Unit::kMicroseconds), "999 us  1.00  1.00 ms");
  EXPECT_EQ(values_text({0.154}, Unit::kRatio), "15.4 %");
  EXPECT_EQ(values_text({}, Unit::kMicroseconds), "");
}

}  // namespace
}  // namespace perfgate
