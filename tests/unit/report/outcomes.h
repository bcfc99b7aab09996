#pragma once
// Outcomes, runs and a baseline as a night produces them, in one line each.

#include <string>
#include <vector>

#include "perfgate/report/run.h"

namespace perfgate::testing_support {

constexpr const char* kKey = "gpt_fast/gemv/int8/D16384/compiled";

/// One worker that measured `time_us`; memory-bound, 270000 bytes: 270 / time_us GB/s.
inline WorkerReport worker(const std::string& key, double time_us) {
  WorkerReport out;
  out.case_key = key;
  out.status = WorkerStatus::kMeasured;
  out.metrics["time"] = {time_us, "us", Better::kLower, true, "cuda/memory/long"};
  out.traffic = {{270000}, {540000}, Bound::kMemory};
  return out;
}

/// A case that one worker measured and nobody judged: 270000 bytes in `time_us`.
inline Outcome case_of(const std::string& key, double time_us) {
  Outcome out;
  out.case_key = key;
  out.verdict = Verdict::kPass;
  out.reports = {worker(key, time_us)};
  return out;
}

/// 2.6 % slower (81.0 us, was 78.9 us); the screen in the design shows the same figures.
inline Judgement judgement(Verdict verdict = Verdict::kRegressed) {
  Judgement out;
  out.metric = "time";
  out.verdict = verdict;
  out.change = 0.026;
  out.half_width = 0.003;
  out.mde = 0.023;
  out.tolerance = 0.02;
  out.threshold = 0.02;
  out.p_value = 3e-9;
  out.alpha = 6e-4;
  out.now = 81;
  out.before = 78.9;
  out.known_unit = true;
  out.sessions = 5;
  out.units = 1;
  return out;
}

/// A case that five workers measured and the judge gave `verdict`.
inline Outcome judged(Verdict verdict = Verdict::kRegressed, const std::string& key = kKey) {
  Outcome out;
  out.case_key = key;
  out.verdict = verdict;
  out.judgements = {judgement(verdict)};
  if (verdict == Verdict::kPass) {
    out.judgements[0].change = 0.001;
    out.judgements[0].now = 79;
  }
  for (const double time_us : {81.0, 81.1, 80.9, 81.0, 81.2}) {
    out.reports.push_back(worker(key, time_us));
  }
  return out;
}

/// A case without figures: UNSUPPORTED, LOST, ERROR...
inline Outcome unjudged(Verdict verdict, const std::string& message,
                        const std::string& key = kKey) {
  Outcome out;
  out.case_key = key;
  out.verdict = verdict;
  out.message = message;
  return out;
}

/// A case whose numbers are wrong at [3, 17]: 2.5 instead of 1.5.
inline Outcome wrong() {
  Outcome out = unjudged(Verdict::kWrong, "3 of 64 elements differ");
  out.reports = {worker(kKey, 81)};
  out.reports[0].status = WorkerStatus::kWrong;
  out.reports[0].metrics.clear();
  out.reports[0].accuracy = Accuracy{1, 0.667, {3, 17}, 2.5, 1.5, 0.001, 3, 64};
  return out;
}

inline RunInfo run_info() {
  RunInfo out;
  out.family = "gpt_fast";
  out.started = "2026-11-21T07:04:00Z";
  out.device = {"cuda", "NVIDIA H200", {}};
  out.session = {out.started, "GPU-b398e28c-1a2b", "host1", "new", "2.12.0",
                 "GCC 12.2",  "585.10.01",         "13.0",  {}};
  out.baseline_path = "baselines/NVIDIA_H200.json";
  out.command = {"build/cuda/bin/perfgate", "--family=gpt_fast"};
  return out;
}

/// What the judgements above were held against.
inline Baseline baseline() {
  Baseline out;
  out.device = run_info().device;
  out.sessions["2026-11-20-b398e28c-01"] = {"2026-11-20T02:00:00Z",
                                            "GPU-b398e28c-1a2b",
                                            "host1",
                                            "old",
                                            "2.11.0",
                                            "GCC 12.2",
                                            "580.159.04",
                                            "13.0",
                                            {}};
  CaseRecord record;
  record.metrics["time"] = {"us", Better::kLower, true, {}, {}, "cuda/memory/long"};
  record.epochs = {{"first",
                    "2026-11-20",
                    {"2026-11-20-b398e28c-01"},
                    {{"time", {{"2026-11-20-b398e28c-01", {78.9}}}}}}};
  out.cases[kKey] = record;
  return out;
}

inline Run run_of(const std::vector<Outcome>& outcomes,
                  const std::string& started = "2026-11-21T07:04:00Z") {
  Run out;
  out.info = run_info();
  out.info.started = started;
  out.info.session.date = started;
  out.outcomes = outcomes;
  for (auto& outcome : out.outcomes) {
    outcome.unit = out.info.session.unit;
  }
  out.elapsed_s = 6.2;
  out.exit_code = exit_code_of(out, {});
  return out;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == '\n') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (out.back().empty()) {
    out.pop_back();
  }
  return out;
}

}  // namespace perfgate::testing_support
