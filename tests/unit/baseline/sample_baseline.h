#pragma once
// A small baseline with one case, two sessions and published figures: all that a file can hold.

#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/record.h"

namespace perfgate::testing_support {

constexpr const char* kKey = "ops/copy/D64/eager";

inline SessionRecord session_on(const std::string& unit, const std::string& date = "2026-11-20") {
  return {date + "T02:00:00Z", unit, "host1", "0789c4b", "2.13.0", "GCC 12.2", {}, {}, {}};
}

inline MetricRecord metric_in(const std::string& unit, bool judged, std::int64_t samples = 30) {
  return {unit,   unit == "us" ? Better::kLower : Better::kHigher,
          judged, {{"samples", samples}},
          {},     "cpu/memory"};
}

/// One session of `key`: judged time with these figures, and a utilisation that is only shown.
inline CaseSession measured(const std::string& key, const std::vector<double>& figures) {
  return {key,
          {{"time", {metric_in("us", true), figures}},
           {"utilisation", {metric_in("ratio", false), std::vector<double>(figures.size(), 0.5)}}},
          "",
          false,
          "first"};
}

/// As a policy that knows a unit by three sessions.
inline std::string record_session(Baseline& baseline, const SessionRecord& session,
                                  const std::vector<CaseSession>& cases) {
  return perfgate::record_session(baseline, session, cases, 3);
}

inline Baseline sample_baseline() {
  Baseline out;
  out.device = {"cuda", "NVIDIA H200", {{"dram_read_gb_per_s", {4800, "datasheet"}}}};
  out.sessions["2026-11-20-aa-01"] = session_on("GPU-aa");
  out.sessions["2026-11-20-aa-01"].driver = "580.159.04";
  out.sessions["2026-11-20-aa-01"].cuda = "13.0";
  out.sessions["2026-11-20-aa-01"].workloads["ops"] = "0123456789ab";
  out.sessions["2026-11-20-aa-01"].ceilings["dram_gb_per_s"] = 4430;
  out.sessions["2026-11-21-bb-01"] = session_on("GPU-bb", "2026-11-21");
  CaseRecord record;
  record.metrics["time"] = metric_in("us", true);
  record.metrics["time"].tolerance = 0.03;
  record.metrics["time"].protocol["held"] = true;
  record.metrics["time"].protocol["flush"] = std::string("read");
  record.metrics["utilisation"] = metric_in("ratio", false);
  record.epochs.push_back(
      {"first",
       "2026-11-20",
       {"2026-11-20-aa-01"},
       {{"time", {{"2026-11-20-aa-01", {81.0, 81.5}}, {"2026-11-21-bb-01", {82.0}}}},
        {"utilisation", {{"2026-11-20-aa-01", {0.5, 0.25}}}}}});
  record.epochs.back().tuning["algorithm"] = "37";
  out.cases[kKey] = record;
  out.published =
      Published{"README of the seed", {{"ops/copy/eager", {1300, "GB/s", Better::kHigher}}}};
  return out;
}

}  // namespace perfgate::testing_support
