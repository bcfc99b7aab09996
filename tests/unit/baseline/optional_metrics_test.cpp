// Host passes come to cases that are recorded already, and not every session makes one.

#include "perfgate/baseline/optional_metrics.h"

#include <gmock/gmock.h>

#include "fixtures/sample_baseline.h"
#include "perfgate/baseline/baseline_json.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing_support::kKey;
using testing_support::measured;
using testing_support::record_session;
using testing_support::session_on;

constexpr const char* kPass = "40 samples";

CaseSession without_pass() { return measured(kKey, {81}); }

CaseSession with_pass(double relative = 6, const std::string& protocol = kPass) {
  CaseSession out = without_pass();
  out.metrics[kRelativeEnqueueTime] = {testing_support::metric_of(true), {relative}};
  out.metrics[kEnqueueTime] = {testing_support::metric_of(false), {7 * relative}};
  out.metrics[kHostControl] = {testing_support::metric_of(false), {7}};
  out.phases.at(Phase::kWhole).protocol[kHostPass] = protocol;
  return out;
}

class HostPasses : public testing::Test {
 protected:
  void SetUp() override { baseline_.device = {"cpu", "a machine", {}}; }
  std::string record(const CaseSession& session, const std::string& device = "u1") {
    return record_session(baseline_, session_on(device), {session});
  }
  [[nodiscard]] const CaseRecord& of_case() const { return baseline_.cases.at(kKey); }
  [[nodiscard]] const Revision& revision() const { return of_case().revisions.back(); }
  [[nodiscard]] std::size_t references(Metric metric) const {
    return references_with(revision(), metric).size();
  }
  void expect_readable() const {
    const auto files = to_files(baseline_);
    EXPECT_EQ(to_files(baseline_from_files(files, "b")), files);
  }
  Baseline baseline_;
};

TEST_F(HostPasses, JoinACaseThatWasRecordedBeforeThereWereAny) {
  record(without_pass());
  const std::string id = record(with_pass());
  EXPECT_EQ(references(kTime), 2U) << "what was recorded of the device stays";
  EXPECT_TRUE(of_case().metrics.at(kRelativeEnqueueTime).judged);
  EXPECT_EQ(of_case().metrics.count(kEnqueueTime), 0U) << "never compared between days";
  EXPECT_THAT(references_with(revision(), kRelativeEnqueueTime), ElementsAre(id));
  EXPECT_EQ(own_setting_of(of_case().phase(Phase::kWhole).protocol, Quantity::kEnqueueTime), kPass);
  expect_readable();
}

TEST_F(HostPasses, JoinADeviceThatHasAllItsReferences) {
  for (int i = 0; i < kReferenceSessions + 1; ++i) {
    record(without_pass());
  }
  EXPECT_EQ(sessions_on(baseline_, revision(), "u1"), kReferenceSessions + 1);
  const std::string id = record(with_pass());
  EXPECT_THAT(references_with(revision(), kRelativeEnqueueTime), ElementsAre(id));
  EXPECT_EQ(references(kTime), static_cast<std::size_t>(kReferenceSessions));
  EXPECT_EQ(revision().later.at("u1").metrics.at(kTime).count, 2);
  EXPECT_EQ(sessions_on(baseline_, revision(), "u1"), kReferenceSessions + 2) << "each once";
  expect_readable();

  record(with_pass(6.1));  // folded, as of every other metric
  EXPECT_EQ(references(kRelativeEnqueueTime), 1U);
  EXPECT_EQ(revision().later.at("u1").metrics.at(kRelativeEnqueueTime).count, 1);
  expect_readable();
}

// Another build on a device that is known tells of noise alone.
TEST_F(HostPasses, OfAnotherBuildLeaveTheReferencesOfTheDeviceAlone) {
  record(without_pass());
  auto newer = session_on("u1");
  newer.libtorch = "2.14.0";
  record_session(baseline_, newer, {with_pass()});
  EXPECT_EQ(references(kRelativeEnqueueTime), 1U);
  EXPECT_EQ(references(kTime), 1U);
  record(without_pass());
  EXPECT_EQ(references(kTime), 2U) << "one of passes alone takes no place";
  expect_readable();
}

TEST_F(HostPasses, AreJudgedAlsoWhereTheRecordJudgesTheDeviceByAnotherMetric) {
  record(without_pass());
  baseline_.cases.at(kKey).metrics[kUtilisation] = testing_support::metric_of(true);
  record(with_pass());
  EXPECT_TRUE(of_case().metrics.at(kRelativeEnqueueTime).judged);
}

TEST_F(HostPasses, KeepNothingElseFromBeingJudgedAsProposed) {
  record(with_pass());
  auto slower_device = with_pass();
  slower_device.metrics.at(kRelativeEnqueueTime).description.judged = false;
  slower_device.metrics[kBusyTime] = {testing_support::metric_of(true), {80}};
  record(slower_device);
  EXPECT_TRUE(of_case().metrics.at(kBusyTime).judged);
  EXPECT_TRUE(of_case().metrics.at(kRelativeEnqueueTime).judged);
  EXPECT_EQ(references(kRelativeEnqueueTime), 2U);
}

TEST_F(HostPasses, MayBeMissingWithoutTheCaseBeginningAnew) {
  record(with_pass());
  record(without_pass());
  EXPECT_EQ(references(kTime), 2U);
  EXPECT_EQ(references(kRelativeEnqueueTime), 1U);
  expect_readable();
}

TEST_F(HostPasses, AreForgottenWhereTheNewRevisionHasNone) {
  record(with_pass());
  auto changed = without_pass();
  changed.changed = true;
  changed.judged_against = revision().reference.front();
  changed.reason = "faster";
  record(changed);
  EXPECT_EQ(of_case().revisions.size(), 2U);
  EXPECT_EQ(of_case().metrics.count(kRelativeEnqueueTime), 0U);
  expect_readable();
}

TEST_F(HostPasses, OfAnotherProtocolReplaceTheRecordedOnesAndNothingElse) {
  for (int i = 0; i < kReferenceSessions; ++i) {
    record(without_pass());
  }
  const std::string old = record(with_pass());
  const std::string id = record(with_pass(5, "80 samples"));
  EXPECT_THAT(references_with(revision(), kRelativeEnqueueTime), ElementsAre(id));
  EXPECT_EQ(measurements_of(revision(), old).size(), 0U);
  EXPECT_EQ(references(kTime), static_cast<std::size_t>(kReferenceSessions));
  EXPECT_EQ(own_setting_of(of_case().phase(Phase::kWhole).protocol, Quantity::kEnqueueTime),
            "80 samples");
  expect_readable();
}

TEST_F(HostPasses, AreNotJudgedWhereTheHostDoesNotDecide) {
  auto session = with_pass();
  session.metrics.at(kRelativeEnqueueTime).description.judged = false;
  record(session);
  EXPECT_EQ(of_case().metrics.count(kRelativeEnqueueTime), 0U);
}

}  // namespace
}  // namespace perfgate
