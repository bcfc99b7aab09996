// Cases that search for their tuning, when they are recorded.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report;

using Refresh = testing_support::CaseRunTest;

// Workers that search, and find 1, then 2, where nobody tells them what was found.
class SearchingRefresh : public Refresh {
 protected:
  SearchingRefresh() {
    settings_.refresh.wanted = true;
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([this] { return search(); });
  }
  WorkerReport search() {
    ++launches_;
    auto out = report(0.5);
    out.tuning = launcher_.last_request.tuning;
    if (out.tuning.empty()) {
      out = report(0.48);  // slower behind its search
      out.tuning["algorithm"] = std::to_string(++searches_);
      out.why_unfit = unfit_;
      unfit_.reset();
    }
    return out;
  }
  [[nodiscard]] std::vector<Tuning> recorded() const {
    const auto baseline = load_baseline(baseline_folder());
    std::vector<Tuning> out;
    for (const auto& revision : baseline.value().cases.at(kKey).revisions) {
      out.push_back(revision.tuning);
    }
    return out;
  }
  int launches_ = 0;
  int searches_ = 0;
  std::optional<std::string> unfit_;  // to the machine, during the next search
};

TEST_F(SearchingRefresh, KeepsWhatWasFoundAndTellsEveryLaterWorker) {
  gate_once();
  gate_once();
  EXPECT_THAT(recorded(), testing::ElementsAre(Tuning{{"algorithm", "1"}}));
}

TEST_F(SearchingRefresh, RecordsNoMeasurementOfAWorkerThatSearched) {
  gate_once();
  const auto revision = load_baseline(baseline_folder())->cases.at(kKey).revisions.back();
  EXPECT_THAT(revision.measurements.at(kUtilisation).begin()->second,
              testing::AllOf(testing::SizeIs(5), testing::Each(0.5)));
  EXPECT_EQ(launches_, 6);
  gate_once();  // which is told
  EXPECT_EQ(launches_, 6 + 5);
}

TEST_F(SearchingRefresh, DoesNotTrustASearchOnAnUnfitMachine) {
  unfit_ = "thermal slowdown";
  gate_once();
  EXPECT_THAT(recorded(), testing::ElementsAre(Tuning{{"algorithm", "2"}}));
}

TEST_F(SearchingRefresh, NeedsAReasonForAnotherTuning) {
  gate_once();
  const auto before = recorded_files();
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([] {
    auto out = report(0.5);
    out.tuning["algorithm"] = "7";
    return out;
  });
  const auto refused = gate_once();
  EXPECT_EQ(refused.recorded, Recorded::kRefused);
  EXPECT_THAT(refused.message, testing::HasSubstr("tuned anew: algorithm 1 -> 7: say why"));
  EXPECT_EQ(recorded_files(), before);
  settings_.refresh.reason = "cuSPARSELt 0.9";
  EXPECT_EQ(gate_once().recorded, Recorded::kRevision);
  EXPECT_THAT(recorded(),
              testing::ElementsAre(Tuning{{"algorithm", "1"}}, Tuning{{"algorithm", "7"}}));
}

}  // namespace
}  // namespace perfgate
