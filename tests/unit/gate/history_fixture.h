#pragma once
// Small baselines, and a policy, for tests of the gate, built in one line each.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/policy.h"

namespace perfgate::testing_support {

constexpr const char* kKey = "demo/case/D1/eager";
constexpr const char* kMetric = "net_time";

/// A session of kKey: which unit measured, and one figure a worker.
struct SessionSpec {
  std::string unit;
  std::vector<double> figures;
};

inline MetricRecord judged_metric(Better better = Better::kLower) {
  return {better == Better::kLower ? "us" : "ratio", better, true,
          {{"samples", std::int64_t{30}}},           {},     "cuda/memory/long"};
}

/// Adds an epoch whose sessions are all anchors, up to kAnchorSessions a unit.
inline void add_epoch(Baseline& baseline, CaseRecord& record,
                      const std::vector<SessionSpec>& sessions) {
  Epoch epoch{"first", "2026-11-20", {}, {}};
  std::map<std::string, int> anchors;
  for (const auto& session : sessions) {
    const std::string id = "s" + std::to_string(10 + baseline.sessions.size());
    baseline.sessions[id].unit = session.unit;
    baseline.sessions[id].date = "2026-11-20T00:00:00Z";
    baseline.sessions[id].libtorch = "2.13.0";
    if (anchors[session.unit]++ < kAnchorSessions) {
      epoch.anchor.push_back(id);
    }
    epoch.figures[kMetric][id] = session.figures;
  }
  record.epochs.push_back(epoch);
}

/// Of a body of 1e6 cycles at 1500 MHz, and of more by the clock to the power of `slope`; one
/// worker a clock, in MHz.
inline SessionFigures figures_at(const std::vector<double>& clocks, double slope,
                                 double slower = 1) {
  SessionFigures out;
  for (const double mhz : clocks) {
    out[kCycles].push_back(slower * 1e6 * std::pow(mhz / 1500, slope));
    out[kNetTime].push_back(out[kCycles].back() / mhz);
  }
  return out;
}

inline Baseline baseline_of(const std::vector<SessionSpec>& sessions,
                            Better better = Better::kLower) {
  Baseline out;
  out.device = {"cuda", "Test GPU", {}};
  CaseRecord record;
  record.metrics[kMetric] = judged_metric(better);
  add_epoch(out, record, sessions);
  out.cases[kKey] = record;
  return out;
}

inline const ClockPolicy kClock = {0.33, 0.40, 0.002, {0.002 * 0.002, 4}, "a test"};

/// A policy that knows the one class of these baselines.
inline Policy policy_with(const VariancePrior& session, const VariancePrior& unit) {
  Policy out;
  out.false_alarms_a_night = 0.01;
  out.detection_probability = 0.99;
  out.workers_a_session = 5;
  out.known_unit_sessions = 3;
  out.fit_cases = 8;
  out.max_prior_degrees = 20;
  out.machine["cuda"] = {0.3, 0.1, 0.1, 2, "a test"};
  out.tolerance = {{"cuda", 0.02}, {"cpu", 0.05}};
  out.clock = kClock;
  for (const char* kind : {"cuda", "cpu"}) {
    out.spread[kind] = {2, 0.05, 0.5, 10, "a test"};
    out.visible[kind] = {0.5, 1, "a test"};
  }
  out.blind_share = 0.2;
  out.classes[judged_metric().variance_class] = {session, unit, "a test"};
  return out;
}

}  // namespace perfgate::testing_support
