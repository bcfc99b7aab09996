#include "perfgate/report/history_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "fixtures/case_nights.h"

namespace perfgate {
namespace {

using nlohmann::json;

// The night's value is what its change makes of a reference of 100 us.
CaseNight night_of(int day, double change) {
  CaseNight out = testing_support::case_night(day, change);
  out.metrics.at(testing_support::kMetric).value = 100 * std::exp(change);
  return out;
}

TEST(HistoryData, HasASeriesInColumnsAndEachBuildOnce) {
  std::vector<CaseNight> nights = {night_of(2, 0.002), night_of(1, 0.001), night_of(3, -0.01)};
  nights[2].libtorch = "2.14.0";
  nights[2].metrics[testing_support::kMetric].noise = std::nullopt;
  nights.push_back(night_of(4, 0.001));
  nights.back().device_id = "another";
  perfgate::Run tonight;
  tonight.outcomes.resize(1);
  tonight.outcomes[0].case_key = testing_support::kKey;
  tonight.outcomes[0].device_id = "A";

  const json data = history_data(tonight, nights);

  EXPECT_EQ(data["builds"].size(), 2U);
  EXPECT_EQ(data["builds_of"], json({0, 0, 1}));
  ASSERT_EQ(data["times"].size(), 3U) << "another device's night is none of this one's";
  EXPECT_EQ(data["times"][1].get<long>() - data["times"][0].get<long>(), 86400);
  const auto& series = data["series"][std::string("A ") + testing_support::kKey]["net_time"];
  EXPECT_EQ(series["at"], json({0, 1, 2}));
  EXPECT_EQ(series["change"], json({100, 200, -1000}));
  EXPECT_EQ(series["noise"], json({224, 224, -1}));  // sqrt(0.002^2 + 0.001^2) = 0.002236
}

}  // namespace
}  // namespace perfgate
