#pragma once
// A worker in this process: a device without any properties, a sampler that runs a body once, and a
// case that is right for its first runs.

#include <ATen/ops/zeros.h>

#include <memory>
#include <optional>
#include <vector>

#include "perfgate/worker/worker.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::testing_support {

class OneRun final : public Sampler {
 public:
  void precondition(Bound bound) override { preconditioned = bound; }
  MeasuredBody measure(const Body& body, const Conditions& /*conditions*/) override {
    if (body.before_each) {
      body.before_each();
    }
    body.run();
    MeasuredBody out;
    out.metrics[Quantity::kTime] = {1, true, "cpu/memory/short"};
    out.metrics[Quantity::kNetTime] = {1, false, "cpu/memory/short"};
    out.metrics[Quantity::kNetTime].statistic = body.statistic;
    out.report.trace = trace;
    out.execution = execution;
    return out;
  }
  CeilingRates ceilings() override { return {{{"triad", Unit::kGbPerS}, 10}}; }

  static inline std::optional<Trace> trace;           ///< that measuring takes, of any OneRun
  static inline std::vector<Activity> execution;      ///< likewise
  static inline std::optional<Bound> preconditioned;  ///< for what, of any OneRun
};

class NoDevice final : public Device {
 public:
  [[nodiscard]] DeviceIdentity identity() const override { return {"cpu", "test", "unit", {}}; }
};

inline Backend backend() {
  Backend out;
  out.device = std::make_unique<NoDevice>();
  out.torch_device = "cpu";
  out.prepare_worker = [] {};
  out.available_bytes = [] { return 1e9; };
  out.make_sampler = [] { return std::make_unique<OneRun>(); };
  out.plan = [](Seconds expected) { return plan_for(CpuProtocol{}, expected); };
  return out;
}

// Right for its first `right_runs` runs.
inline Case case_right_for(int right_runs) {
  Case out;
  out.key = "demo/case";
  out.prepare = [right_runs](const PrepareContext&) {
    auto runs = std::make_shared<int>(0);
    return PreparedPhase{
        [runs, right_runs] { return at::zeros({2}).add((*runs)++ < right_runs ? 0 : 1); },
        [] { return at::zeros({2}, at::kDouble); },
        {Tolerance{}},
        {}};
  };
  return out;
}

}  // namespace perfgate::testing_support
