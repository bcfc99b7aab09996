#include "perfgate/baseline/kept_tunings.h"

#include <gtest/gtest.h>

#include "fixtures/sample_baseline.h"

namespace perfgate {
namespace {

using testing_support::kKey;
using testing_support::measured;
using testing_support::record_session;
using testing_support::session_on;

constexpr const char* kPackage = "ops/copy/D64";

PackageTuning tuned(const ProgramTuning& kernels, const std::string& triton = "3.6.0") {
  return {"2.11.0", triton, {{"model", kernels}}};
}

// What is kept behind a session of a package that was tuned so.
PackageTuning kept_behind(const PackageTuning& recorded, const PackageTuning& now, bool changed) {
  Baseline baseline;
  baseline.package_tunings[kPackage] = recorded;
  keep_tunings({{kPackage, now}}, changed, baseline);
  return baseline.package_tunings.at(kPackage);
}

const PackageTuning kRecorded = tuned({{"01", "XBLOCK 2"}, {"02", "XBLOCK 4"}});

TEST(KeptTunings, AreThoseOfTheFirstSession) {
  Baseline baseline;
  CaseSession session = measured(kKey, {80, 81, 82});
  session.package_tunings[kPackage] = kRecorded;
  record_session(baseline, session_on("GPU-aa"), {session});
  EXPECT_EQ(baseline.package_tunings, (PackageTunings{{kPackage, kRecorded}}));
}

TEST(KeptTunings, StayWhereAnotherSearchFoundNothingFaster) {
  const auto another = tuned({{"01", "XBLOCK 1"}, {"02", "XBLOCK 1"}});
  EXPECT_EQ(kept_behind(kRecorded, another, false), kRecorded);
}

TEST(KeptTunings, AreThoseOfTheNewRevision) {
  const auto another = tuned({{"01", "XBLOCK 1"}, {"02", "XBLOCK 1"}});
  EXPECT_EQ(kept_behind(kRecorded, another, true), another);
}

TEST(KeptTunings, AreThoseOfTheNewestCompiler) {
  const auto another = tuned({{"01", "XBLOCK 1"}, {"02", "XBLOCK 1"}}, "3.7.0");
  EXPECT_EQ(kept_behind(kRecorded, another, false), another);
}

TEST(KeptTunings, AreOfTheKernelsThatThePackageHasNow) {
  EXPECT_EQ(kept_behind(kRecorded, tuned({{"02", "XBLOCK 1"}, {"03", "XBLOCK 8"}}), false),
            tuned({{"02", "XBLOCK 4"}, {"03", "XBLOCK 8"}}));
}

TEST(KeptTunings, OfOnePackageLeaveTheOthersAlone) {
  Baseline baseline;
  baseline.package_tunings["ops/other"] = kRecorded;
  keep_tunings({{kPackage, kRecorded}}, false, baseline);
  EXPECT_EQ(baseline.package_tunings,
            (PackageTunings{{"ops/other", kRecorded}, {kPackage, kRecorded}}));
}

}  // namespace
}  // namespace perfgate
