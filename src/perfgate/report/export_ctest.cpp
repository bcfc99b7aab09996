// CTest reads a test's measurements from its output; they reach Test.xml and a CDash server.

#include <fmt/format.h>

#include "perfgate/report/export.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

// Keys hold nothing that XML escapes.
std::string measurement(const std::string& name, double value) {
  return fmt::format(
      "<CTestMeasurement type=\"numeric/double\" name=\"{}\">{:.6g}</CTestMeasurement>\n", name,
      value);
}

}  // namespace

std::string ctest_measurements(const std::vector<Outcome>& outcomes) {
  std::string out = "CTEST_FULL_OUTPUT\n";  // or CTest keeps 1 KiB of what passed
  for (const auto& outcome : outcomes) {
    for (const Phase phase : phases_of(outcome)) {
      const std::string key = key_of_phase(outcome.case_key, phase);
      if (const auto time_us = median_measurement(outcome, kTime.in(phase))) {
        out += measurement(key + " time us", *time_us);
      }
      if (const auto* judgement = outcome.deciding(phase)) {
        out += measurement(key + " change %", 100 * judgement->change);
        out += measurement(key + " MDE %", 100 * judgement->mde);
      }
    }
  }
  return out;
}

}  // namespace perfgate
