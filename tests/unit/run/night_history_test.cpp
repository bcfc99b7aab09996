// The file of the history: several writers, killed ones, and readers.

#include "perfgate/run/night/night_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <map>

#include "fixtures/case_nights.h"
#include "fixtures/message_of.h"
#include "fixtures/temporary_folder.h"
#include "perfgate/report/case_night_json.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::case_night;

class NightHistory : public testing::Test {
 protected:
  [[nodiscard]] std::vector<CaseNight> read() const {
    std::vector<CaseNight> out;
    for_each_night(path_, [&out](const CaseNight& night) { out.push_back(night); });
    return out;
  }
  testing_support::TemporaryFolder folder_;
  std::filesystem::path path_ = night_history_path(folder_ / "history", "NVIDIA H200");
  FileCalls disk_;
};

TEST_F(NightHistory, IsAFileOfTheModel) {
  EXPECT_EQ(path_.filename(), "NVIDIA_H200.nights.jsonl");
  EXPECT_TRUE(read().empty());
}

TEST_F(NightHistory, KeepsEveryNight) {
  EXPECT_EQ(append_nights(path_, {case_night(1), case_night(2)}, disk_), "");
  EXPECT_EQ(append_nights(path_, {case_night(3)}, disk_), "");
  ASSERT_EQ(read().size(), 3U);
  EXPECT_EQ(read()[2].time, case_night(3).time);
}

TEST_F(NightHistory, LosesNothingOfAKilledWriterButItsLastLine) {
  append_nights(path_, {case_night(1)}, disk_);
  const std::string half = line_of(case_night(2)).substr(0, 90);
  testing_support::put_bytes(path_, testing_support::bytes_of(path_) + half);
  EXPECT_EQ(read().size(), 1U) << "a reader leaves out what is not ended";
  EXPECT_THAT(append_nights(path_, {case_night(3)}, disk_), HasSubstr("was killed"));
  ASSERT_EQ(read().size(), 2U);
  EXPECT_EQ(read()[1].time, case_night(3).time);
}

TEST_F(NightHistory, NamesTheLineThatIsMalformed) {
  append_nights(path_, {case_night(1)}, disk_);
  testing_support::put_bytes(path_, testing_support::bytes_of(path_) + "{\"time\":1}\n");
  append_nights(path_, {case_night(2)}, disk_);
  EXPECT_THAT(testing_support::message_of([this] { (void)read(); }),
              AllOf(HasSubstr(path_.string()), HasSubstr("line 2")));
}

TEST_F(NightHistory, WritesNoLineThatItCouldNotReadAgain) {
  EXPECT_THAT(append_nights(path_, {case_night(1), case_night(2, HUGE_VAL), case_night(3)}, disk_),
              HasSubstr("is left out"));
  EXPECT_EQ(read().size(), 2U);
}

// As they were written once.
TEST_F(NightHistory, LeavesOutLinesThatHoldInfinityAndSaysWhich) {
  const auto add = [this](const CaseNight& night) {
    std::ofstream(path_, std::ios::app) << line_of(night);
  };
  append_nights(path_, {case_night(1)}, disk_);
  add(case_night(2, HUGE_VAL));
  add(case_night(3));
  int nights = 0;
  const auto count = [&nights](const CaseNight&) { ++nights; };
  EXPECT_THAT(for_each_night(path_, count), AllOf(HasSubstr(path_.string() + ", line 2: left out"),
                                                  HasSubstr("remove the line")));
  EXPECT_EQ(nights, 2);
  add(case_night(4, std::nan("")));
  EXPECT_THAT(for_each_night(path_, count), HasSubstr("line 2 and 1 more: left out"));
}

TEST_F(NightHistory, GivesPeopleTheNightsThatHaveFigures) {
  auto unjudged = case_night(2);
  unjudged.metrics.clear();
  append_nights(path_, {case_night(1), unjudged}, disk_);
  std::vector<CaseNight> nights;
  read_judged_nights(path_, nights);
  EXPECT_EQ(nights.size(), 1U);
  EXPECT_EQ(read().size(), 2U);
}

TEST_F(NightHistory, IsRefusedWhereItsFolderIsNone) {
  testing_support::put_bytes(folder_ / "file", "");
  EXPECT_THAT(testing_support::message_of(
                  [this] { require_writable_history(folder_ / "file" / "model.nights.jsonl"); }),
              HasSubstr("is no folder"));
}

TEST_F(NightHistory, SaysNothingOfAHistoryThatIsWell) {
  append_nights(path_, {case_night(1)}, disk_);
  EXPECT_EQ(for_each_night(path_, [](const CaseNight&) {}), "");
}

TEST_F(NightHistory, TakesTheLinesOfSeveralProcessesAtOnce) {
  constexpr int kProcesses = 4;
  constexpr int kNights = 25;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(::fork());
    if (children.back() == 0) {
      auto night = case_night(process + 1);
      for (int i = 0; i < kNights; ++i) {
        append_nights(path_, {night, night}, disk_);
      }
      ::_exit(0);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::map<std::string, int> by_process;
  for (const auto& night : read()) {
    ++by_process[night.time];
  }
  EXPECT_EQ(by_process.size(), static_cast<std::size_t>(kProcesses));
  for (const auto& [time, lines] : by_process) {
    EXPECT_EQ(lines, 2 * kNights) << time;
  }
}

}  // namespace
}  // namespace perfgate
