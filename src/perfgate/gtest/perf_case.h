#pragma once
// The one fixture behind every table in tests/perf: a TEST_P body calls gate(), and the case is
// measured in fresh processes, judged, and asserted.

#include <gtest/gtest.h>

#include <string>

#include "perfgate/workloads/catalogue.h"

namespace perfgate {

class Gatekeeper;

class PerfCase : public testing::TestWithParam<CaseParam> {
 public:
  /// Set once by main before any test runs. `baseline_required`: NO_BASELINE fails.
  static void use(Gatekeeper& gatekeeper, bool baseline_required);

 protected:
  /// Gates this test's case. Passes, fails with the failure text, or skips with the reason.
  void gate();
};

/// Names a parameterised test after its case.
std::string case_name(const testing::TestParamInfo<CaseParam>& info);

}  // namespace perfgate
