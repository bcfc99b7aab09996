// The worker in this process, with a sampler that a test can read.

#include "perfgate/worker/worker.h"

#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <optional>

namespace perfgate {
namespace {

class OneRun final : public Sampler {
 public:
  void settle(Bound bound) override { settled = bound; }
  Measurement measure(const Body& body, const Conditions& /*conditions*/) override {
    body.run();
    Measurement out;
    out.metrics["time"] = {1, "us", Better::kLower, true, "cpu/memory/short"};
    out.metrics["net_time"] = {1, "us", Better::kLower, false, "cpu/memory/short"};
    out.metrics["net_time"].statistic = body.statistic;
    return out;
  }
  std::map<std::string, double> ceilings() override { return {{"triad_gb_per_s", 10}}; }

  static inline std::optional<Bound> settled;  ///< for what, of any OneRun
};

class NoDevice final : public Device {
 public:
  [[nodiscard]] DeviceIdentity identity() const override { return {"cpu", "test", "unit", {}}; }
};

Backend backend() {
  return {std::make_unique<NoDevice>(),
          "cpu",
          [] {},
          [] { return 1e9; },
          [] { return std::make_unique<OneRun>(); },
          {}};
}

// Right for its first `right_runs` runs.
Case case_right_for(int right_runs) {
  Case out;
  out.key = "demo/case";
  out.prepare = [right_runs](const PrepareContext&) {
    auto runs = std::make_shared<int>(0);
    return Prepared{
        [runs, right_runs] { return at::zeros({2}).add((*runs)++ < right_runs ? 0 : 1); },
        [] { return at::zeros({2}, at::kDouble); },
        {},
        {}};
  };
  return out;
}

TEST(Worker, ChecksTheOutputThatWasTimedLast) {
  EXPECT_EQ(run_worker(case_right_for(2), backend(), {}).status, WorkerStatus::kMeasured);
  EXPECT_EQ(run_worker(case_right_for(1), backend(), {}).status, WorkerStatus::kWrong);
}

TEST(Worker, AsksForTheStatisticOfTheCase) {
  Case item = case_right_for(2);
  item.statistic = Statistic::kBest;
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.metrics.at("net_time").statistic, Statistic::kBest);
}

// What a library searches for while a case is prepared depends on the device's state.
TEST(Worker, SettlesTheDeviceForACaseBeforeItPreparesIt) {
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {
    OneRun::settled.reset();
    std::optional<Bound> settled_then;
    Case item = case_right_for(2);
    item.traffic.bound = bound;
    item.prepare = [&settled_then, prepare = item.prepare](const PrepareContext& context) {
      settled_then = OneRun::settled;
      return prepare(context);
    };
    EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
    EXPECT_EQ(settled_then, bound);
  }
}

TEST(Worker, MeasuresWithoutCheckingWhereAnotherWorkerChecks) {
  WorkerRequest request;
  request.check = false;
  const auto report = run_worker(case_right_for(0), backend(), request);
  EXPECT_EQ(report.status, WorkerStatus::kMeasured);
  EXPECT_FALSE(report.accuracy.has_value());
}

TEST(Worker, RefusesACaseThatCannotFitBeforeItAllocates) {
  Case huge = case_right_for(2);
  huge.footprint = {1e15};
  bool prepared = false;
  huge.prepare = [&prepared](const PrepareContext&) {
    prepared = true;
    return Prepared{};
  };
  const auto report = run_worker(huge, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_NE(report.message.find("needs 1000000000000000 bytes"), std::string::npos);
  EXPECT_FALSE(prepared);
}

TEST(Worker, SaysHowMuchMemoryThereIsWhereALibraryDoesNot) {
  Case item = case_right_for(2);
  item.footprint = {1e6};
  item.may_refuse = true;  // which too little memory is not
  item.prepare = [](const PrepareContext&) -> Prepared {
    TORCH_CHECK(false, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`");
  };
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_EQ(report.message,
            "out of memory: the case needs 1000000 bytes, 1000000000 are available: CUDA error: "
            "CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate` (LibTorch)");
}

TEST(Worker, RefusesACaseThatHoldsMoreThanItDeclares) {
  Case item = case_right_for(2);
  item.footprint = {1e6};
  Backend counting = backend();
  counting.peak_bytes = [] { return 1e8; };  // the libraries' workspaces are 64 MiB at most
  const auto report = run_worker(item, counting, {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_NE(report.message.find("100000000 bytes were held at once, the case declares 1000000"),
            std::string::npos)
      << report.message;
  item.footprint = {1e8};
  EXPECT_EQ(run_worker(item, counting, {}).status, WorkerStatus::kMeasured);
}

TEST(Worker, HoldsAnOutputToTheLayoutThatItsCaseSays) {
  Case item = case_right_for(1);
  item.prepare = [](const PrepareContext&) {
    return Prepared{[] {
                      return at::zeros({2, 3}).t();
                    },
                    [] {
                      return at::zeros({3, 2}, at::kDouble);
                    },
                    {},
                    {}};
  };
  EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
  item.contiguous = false;
  EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
  item.contiguous = true;
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kWrong);
  EXPECT_EQ(report.message, "the output is not contiguous, and its case says otherwise");
}

TEST(Worker, SettlesTheDeviceForEachCeiling) {
  OneRun::settled.reset();
  std::optional<Bound> settled_then;
  Case item = case_right_for(2);
  item.traffic.bound = Bound::kCompute;
  item.ceiling = {"bf16_gflop_per_s", [](Seconds) { return 1.0; }};
  item.prepare = [&settled_then, prepare = item.prepare](const PrepareContext& context) {
    settled_then = OneRun::settled;
    return prepare(context);
  };
  const auto report = run_machine_worker({item}, backend());
  EXPECT_EQ(report.ceilings.count("bf16_gflop_per_s"), 1U) << report.message;
  EXPECT_EQ(settled_then, Bound::kCompute);
}

TEST(Worker, ReportsTheDevicesCeilings) {
  const auto report = run_machine_worker({}, backend());
  EXPECT_EQ(report.ceilings.at("triad_gb_per_s"), 10);
  EXPECT_FALSE(report.environment.at("libtorch").empty());
}

}  // namespace
}  // namespace perfgate
