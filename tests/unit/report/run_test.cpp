#include "perfgate/report/run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "outcomes.h"

namespace perfgate {
namespace {

using testing_support::unjudged;

std::vector<Outcome> outcomes_of(const std::vector<Verdict>& verdicts) {
  std::vector<Outcome> out;
  for (const Verdict verdict : verdicts) {
    out.push_back(unjudged(verdict, ""));
  }
  return out;
}

struct Night {
  std::vector<Verdict> verdicts;
  ExitCode exit_code;
};

using V = Verdict;

TEST(ExitCodeOf, IsTheStrongestInAnyOrder) {
  const std::vector<Night> nights = {{{}, ExitCode::kSkipped},
                                     {{V::kUnsupported}, ExitCode::kSkipped},
                                     {{V::kPass}, ExitCode::kOk},
                                     {{V::kPass, V::kUnsupported}, ExitCode::kOk},
                                     {{V::kImproved}, ExitCode::kOk},
                                     {{V::kPass, V::kRegressed}, ExitCode::kFail},
                                     {{V::kPass, V::kWrong}, ExitCode::kFail},
                                     {{V::kPass, V::kLost}, ExitCode::kFail},
                                     {{V::kPass, V::kError}, ExitCode::kFail},
                                     {{V::kPass, V::kMachineInvalid}, ExitCode::kRefused},
                                     {{V::kUnsupported, V::kMachineInvalid}, ExitCode::kRefused},
                                     {{V::kMachineInvalid, V::kRegressed}, ExitCode::kFail}};
  for (const auto& night : nights) {
    auto outcomes = outcomes_of(night.verdicts);
    EXPECT_EQ(exit_code_of(outcomes, false), night.exit_code)
        << testing::PrintToString(night.verdicts);
    std::reverse(outcomes.begin(), outcomes.end());
    EXPECT_EQ(exit_code_of(outcomes, false), night.exit_code)
        << testing::PrintToString(night.verdicts);
  }
}

TEST(ExitCodeOf, FailsWithoutABaselineOnlyWhereOneIsRequired) {
  const auto outcomes = outcomes_of({V::kPass, V::kNoBaseline});
  EXPECT_EQ(exit_code_of(outcomes, false), ExitCode::kOk);
  EXPECT_EQ(exit_code_of(outcomes, true), ExitCode::kFail);
  EXPECT_EQ(exit_code_of(outcomes_of({V::kPass}), true), ExitCode::kOk);
}

TEST(ExitCodeOf, IsRefusedWhenARefreshRefusedACase) {
  auto outcomes = outcomes_of({V::kPass, V::kWrong});
  outcomes[0].recorded = Recorded::kSession;
  EXPECT_EQ(exit_code_of(outcomes, false), ExitCode::kFail);
  outcomes[1].recorded = Recorded::kRefused;
  EXPECT_EQ(exit_code_of(outcomes, false), ExitCode::kRefused);
}

TEST(ExitCodeOf, IsOkWhateverARefreshAccepted) {
  auto outcomes = outcomes_of({V::kRegressed, V::kNoBaseline, V::kImproved});
  outcomes[0].recorded = Recorded::kEpoch;
  outcomes[1].recorded = Recorded::kFirst;
  outcomes[2].recorded = Recorded::kEpoch;
  EXPECT_EQ(exit_code_of(outcomes, true), ExitCode::kOk);
}

TEST(FailuresOf, NamesTheWorstFirst) {
  perfgate::Run run;
  run.outcomes = outcomes_of({V::kRegressed, V::kPass, V::kRegressed, V::kWrong, V::kRegressed});
  for (const auto& [index, change] : {std::pair{0, 0.03}, {2, 1.0}, {4, 5.0}}) {
    run.outcomes[index].judgements.resize(1);
    run.outcomes[index].judgements[0].verdict = V::kRegressed;
    run.outcomes[index].judgements[0].change = change;
  }
  run.outcomes[4].recorded = Recorded::kEpoch;  // accepted: nothing to explain
  const auto failures = failures_of(run, false);
  ASSERT_EQ(failures.size(), 3U);
  EXPECT_EQ(failures[0], &run.outcomes[3]);
  EXPECT_EQ(failures[1], &run.outcomes[2]);
  EXPECT_EQ(failures[2], &run.outcomes[0]);
}

TEST(Count, CountsOneVerdict) {
  const auto outcomes = outcomes_of({V::kPass, V::kLost, V::kPass});
  EXPECT_EQ(count(outcomes, V::kPass), 2);
  EXPECT_EQ(count(outcomes, V::kLost), 1);
  EXPECT_EQ(count(outcomes, V::kError), 0);
}

}  // namespace
}  // namespace perfgate
