#include "perfgate/model/metric.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "perfgate/core/files.h"
#include "perfgate/model/ceiling.h"

namespace perfgate {
namespace {

TEST(Metric, IsReadBackAsItIsWritten) {
  std::set<std::string> texts;
  for (const auto& [phase, phase_name] : kNames<Phase>) {
    for (const auto& [quantity, name] : kNames<Quantity>) {
      const Metric metric{phase, quantity};
      texts.insert(text_of(metric));
      EXPECT_EQ(metric_from(text_of(metric)), metric) << text_of(metric);
    }
  }
  EXPECT_EQ(texts.size(), kNames<Phase>.size() * kNames<Quantity>.size());
}

TEST(Metric, OfACaseWithoutPhasesIsItsQuantityAlone) {
  EXPECT_EQ(text_of(kNetTime), "net_time");
  EXPECT_EQ(text_of(kNetTime.in(Phase::kBackward)), "backward.net_time");
}

TEST(Metric, IsNotReadFromWhatNobodyWrites) {
  for (const char* text : {"", ".", "net_time.", ".net_time", "whole.net_time", "backward",
                           "sideways.net_time", "backward.backward.net_time", "Net_time"}) {
    EXPECT_FALSE(metric_from(text).has_value()) << text;
  }
}

TEST(Metric, HasOneUnitAndOneDirection) {
  EXPECT_EQ(unit_of(kNetTime.in(Phase::kDecode)), Unit::kMicroseconds);
  EXPECT_EQ(unit_of(kCycles), Unit::kCycles);
  EXPECT_EQ(unit_of(kUtilisation), Unit::kRatio);
  EXPECT_EQ(unit_of(kLaunches), Unit::kCount);
  for (const auto& [quantity, name] : kNames<Quantity>) {
    EXPECT_EQ(better_of(quantity) == Better::kHigher, quantity == Quantity::kUtilisation) << name;
  }
}

TEST(Phase, IsNamedWhereACaseHasParts) {
  EXPECT_EQ(prefix_of(Phase::kWhole), "");
  EXPECT_EQ(prefix_of(Phase::kBackward), "backward: ");
  EXPECT_EQ(key_of_phase("rnn/lstm", Phase::kWhole), "rnn/lstm");
  EXPECT_EQ(key_of_phase("rnn/lstm", Phase::kBackward), "rnn/lstm/backward");
}

TEST(Ceiling, IsReadBackWithItsUnit) {
  for (const auto& ceiling :
       {Ceiling{"dram_read", Unit::kGbPerS}, Ceiling{"bf16", Unit::kGflopPerS},
        Ceiling{"int8", Unit::kGopPerS}, Ceiling{"event_floor", Unit::kMicroseconds}}) {
    EXPECT_EQ(ceiling_from(text_of(ceiling)), ceiling);
  }
  EXPECT_EQ(text_of({"dram_read", Unit::kGbPerS}), "dram_read_gb_per_s");
}

TEST(Ceiling, IsNotReadFromWhatHasNoUnit) {
  for (const char* text : {"", "dram_read", "_gb_per_s", "gb_per_s", "dram_read_gb_per_s_"}) {
    EXPECT_FALSE(ceiling_from(text).has_value()) << text;
  }
}

// The schemas repeat the names of metrics, for those who check files without us.
TEST(Metric, IsInTheSchemas) {
  const std::string sources = PERFGATE_SOURCE_DIR "/src/perfgate/";
  for (const char* schema : {"baseline/cases.schema.json", "report/results.schema.json"}) {
    std::istringstream text(read_file(sources + schema));
    int patterns = 0;
    for (std::string line; std::getline(text, line);) {
      if (line.find("|net_time|") == std::string::npos) {
        continue;
      }
      ++patterns;
      const auto names = [&line](std::string_view name) {
        return std::regex_search(line, std::regex("[|(]" + std::string(name) + "[|)]"));
      };
      for (const auto& [quantity, name] : kNames<Quantity>) {
        EXPECT_TRUE(names(name)) << schema << " does not know " << name << ":\n" << line;
      }
      for (const auto& [phase, name] : kNames<Phase>) {
        EXPECT_TRUE(phase == Phase::kWhole || names(name)) << schema << " does not know " << name;
      }
    }
    EXPECT_GT(patterns, 0) << schema;
  }
}

}  // namespace
}  // namespace perfgate
