#pragma once
// The parameterised test of every case: it is measured in fresh processes, judged, and asserted.

#include <gtest/gtest.h>

#include <string>

#include "perfgate/workloads/catalogue.h"

namespace perfgate {

class CaseRun;

class PerfCase : public testing::TestWithParam<CaseParam> {
 public:
  /// Set once by main before any test runs. `baseline_required`: NO_BASELINE fails.
  static void use(CaseRun& run, bool baseline_required);

 protected:
  /// Gates this test's case. Passes, fails with the failure text, or skips with the reason.
  void gate();
};

}  // namespace perfgate
