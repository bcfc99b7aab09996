#pragma once
// Small baselines for tests of the gate, built in one line each.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"

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

inline Baseline baseline_of(const std::vector<SessionSpec>& sessions,
                            Better better = Better::kLower) {
  Baseline out;
  out.device = {"cuda", "Test GPU", {}, {}};
  CaseRecord record;
  record.metrics[kMetric] = judged_metric(better);
  add_epoch(out, record, sessions);
  out.cases[kKey] = record;
  return out;
}

}  // namespace perfgate::testing_support
