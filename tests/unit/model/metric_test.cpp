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
      Metric metric{phase, quantity};
      if (quantity == Quantity::kOwn) {
        metric.own = own_quantity("accepted", Unit::kGbPerS, Better::kHigher);
      }
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

TEST(Metric, OfACaseItselfSaysItsUnitAndDirection) {
  const Metric accepted{Phase::kDecode, Quantity::kOwn,
                        own_quantity("accepted", Unit::kCount, Better::kHigher)};
  EXPECT_EQ(text_of(accepted), "decode.accepted[1,higher]");
  EXPECT_EQ(unit_of(accepted), Unit::kCount);
  EXPECT_EQ(better_of(accepted), Better::kHigher);
  EXPECT_EQ(text_of(accepted.in(Phase::kWhole)), "accepted[1,higher]");
  EXPECT_NE(accepted, (Metric{Phase::kDecode, Quantity::kOwn,
                              own_quantity("refused", Unit::kCount, Better::kHigher)}));
}

TEST(Metric, OfACaseItselfIsNotReadFromWhatNobodyWrites) {
  for (const char* text :
       {"own", "accepted", "accepted[]", "accepted[1]", "accepted[1,up]", "accepted[km,higher]",
        "[1,higher]", "net_time[us,lower]", "Accepted[1,higher]", "accepted[1,higher",
        "accepted[1,higher]x", "a_name_that_is_longer_than_31_letters[1,higher]"}) {
    EXPECT_FALSE(metric_from(text).has_value()) << text;
  }
  for (const char* name : {"", "Accepted", "1st", "accepted tokens", "net_time", "own",
                           "a_name_that_is_longer_than_31_letters"}) {
    EXPECT_THROW(own_quantity(name, Unit::kCount, Better::kLower), std::invalid_argument) << name;
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
        EXPECT_TRUE(quantity == Quantity::kOwn || names(name))
            << schema << " does not know " << name << ":\n"
            << line;
      }
      for (const auto& [phase, name] : kNames<Phase>) {
        EXPECT_TRUE(phase == Phase::kWhole || names(name)) << schema << " does not know " << name;
      }
      // As JSON has it: each backslash twice.
      const auto quoted = line.find('"', line.find('^') - 1);
      const std::string in_json = line.substr(quoted + 1, line.find('"', quoted + 1) - quoted - 1);
      const std::regex pattern(std::regex_replace(in_json, std::regex(R"(\\\\)"), R"(\)"));
      for (const auto& [unit, name] : kNames<Unit>) {
        const Metric own{Phase::kDecode, Quantity::kOwn,
                         own_quantity("accepted", unit, Better::kHigher)};
        EXPECT_TRUE(std::regex_match(text_of(own), pattern)) << text_of(own) << "\n" << in_json;
      }
      EXPECT_FALSE(std::regex_match("accepted[km,higher]", pattern));
      EXPECT_FALSE(std::regex_match("accepted", pattern));
    }
    EXPECT_GT(patterns, 0) << schema;
  }
}

}  // namespace
}  // namespace perfgate
