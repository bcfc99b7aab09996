// The worker in this process, with a sampler that a test can read.

#include "perfgate/worker/worker.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>

#include <optional>

namespace perfgate {
namespace {

using testing::HasSubstr;

class OneRun final : public Sampler {
 public:
  void precondition(Bound bound) override { preconditioned = bound; }
  Measurement measure(const Body& body, const Conditions& /*conditions*/) override {
    if (body.before_each) {
      body.before_each();
    }
    body.run();
    Measurement out;
    out.metrics[Quantity::kTime] = {1, true, "cpu/memory/short"};
    out.metrics[Quantity::kNetTime] = {1, false, "cpu/memory/short"};
    out.metrics[Quantity::kNetTime].statistic = body.statistic;
    return out;
  }
  CeilingRates ceilings() override { return {{{"triad", Unit::kGbPerS}, 10}}; }

  static inline std::optional<Bound> preconditioned;  ///< for what, of any OneRun
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
    return PreparedPhase{
        [runs, right_runs] { return at::zeros({2}).add((*runs)++ < right_runs ? 0 : 1); },
        [] { return at::zeros({2}, at::kDouble); },
        {Tolerance{}},
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
  item.work().statistic = Statistic::kBest;
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.metrics.at(kNetTime).statistic, Statistic::kBest);
}

// What a library searches for while a case is prepared depends on the device's state.
TEST(Worker, PreconditionsTheDeviceForACaseBeforeItPreparesIt) {
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {
    OneRun::preconditioned.reset();
    std::optional<Bound> preconditioned_then;
    Case item = case_right_for(2);
    item.work().traffic.bound = bound;
    item.prepare = [&preconditioned_then, prepare = item.prepare](const PrepareContext& context) {
      preconditioned_then = OneRun::preconditioned;
      return prepare(context);
    };
    EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
    EXPECT_EQ(preconditioned_then, bound);
  }
}

TEST(Worker, MeasuresWithoutCheckingWhereAnotherWorkerChecks) {
  WorkerRequest request;
  request.check = false;
  const auto report = run_worker(case_right_for(0), backend(), request);
  EXPECT_EQ(report.status, WorkerStatus::kMeasured);
  EXPECT_FALSE(report.phase(Phase::kWhole).outputs.at(0).accuracy.has_value());
}

TEST(Worker, RefusesACaseThatCannotFitBeforeItAllocates) {
  Case huge = case_right_for(2);
  huge.footprint = {1e15};
  bool prepared = false;
  huge.prepare = [&prepared](const PrepareContext&) {
    prepared = true;
    return PreparedPhase{};
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
    return PreparedPhase{[] {
                           return at::zeros({2, 3}).t();
                         },
                         [] {
                           return at::zeros({3, 2}, at::kDouble);
                         },
                         {Tolerance{}},
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

// Of two outputs, or of two phases of one output each.
PreparedPhase giving(const std::vector<double>& values) {
  PreparedPhase out;
  out.run = [values] {
    Outputs outputs;
    for (const double value : values) {
      outputs.push_back(at::full({3}, value));
    }
    return outputs;
  };
  out.reference = [values] {
    Outputs outputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      outputs.push_back(at::zeros({3}, at::kDouble));
    }
    return outputs;
  };
  out.tolerances.resize(values.size(), {0.5, 0});
  return out;
}

TEST(Worker, NamesTheOutputThatIsWrong) {
  Case item = case_right_for(2);
  item.prepare = [](const PrepareContext&) { return giving({0, 1}); };
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kWrong);
  EXPECT_EQ(report.message, "output 2: 3 of 3 elements differ from the reference");
  const auto& outputs = report.phase(Phase::kWhole).outputs;
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].accuracy->wrong_elements, 0);
  EXPECT_EQ(outputs[1].accuracy->wrong_elements, 3);
}

TEST(Worker, HoldsEachOutputToItsOwnTolerance) {
  Case item = case_right_for(2);
  item.prepare = [](const PrepareContext&) {
    PreparedPhase out = giving({1, 1});
    out.tolerances[0] = {2, 0};
    return out;
  };
  EXPECT_EQ(run_worker(item, backend(), {}).message,
            "output 2: 3 of 3 elements differ from the reference");
}

TEST(Worker, AsksForAToleranceAndAReferenceOfEachOutput) {
  Case item = case_right_for(2);
  item.prepare = [](const PrepareContext&) {
    PreparedPhase out = giving({0, 0});
    out.tolerances.pop_back();
    return out;
  };
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_THAT(report.message, HasSubstr("2 outputs, 2 references and 1 tolerances"));
}

class PhasedWorker : public testing::Test {
 protected:
  static Case case_of(double forward, double backward, std::vector<Phase>* stepped = nullptr) {
    Case out;
    out.key = "demo/network";
    out.phases = {{Phase::kForward, {}}, {Phase::kBackward, {}}};
    out.prepare = [=](const PrepareContext&) {
      Prepared prepared;
      prepared.phases[Phase::kForward] = giving({forward});
      prepared.phases[Phase::kBackward] = giving({backward});
      prepared.phase(Phase::kBackward).before_each = [stepped] {
        if (stepped != nullptr) {
          stepped->push_back(Phase::kBackward);
        }
      };
      return prepared;
    };
    return out;
  }
};

TEST_F(PhasedWorker, MeasuresAndChecksEachPhaseByItself) {
  const auto report = run_worker(case_of(0, 0), backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  for (const Phase phase : {Phase::kForward, Phase::kBackward}) {
    EXPECT_EQ(report.metrics.count(kTime.in(phase)), 1U);
    EXPECT_TRUE(report.phase(phase).outputs.at(0).accuracy.has_value());
  }
  EXPECT_EQ(report.metrics.count(kTime), 0U);
}

TEST_F(PhasedWorker, NamesThePhaseWhoseNumbersAreWrong) {
  const auto report = run_worker(case_of(0, 1), backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kWrong);
  EXPECT_EQ(report.message, "backward: 3 of 3 elements differ from the reference");
}

TEST_F(PhasedWorker, PreparesEachRunOfAPhaseThatAsksForIt) {
  std::vector<Phase> stepped;
  EXPECT_EQ(run_worker(case_of(0, 0, &stepped), backend(), {}).status, WorkerStatus::kMeasured);
  EXPECT_EQ(stepped.size(), 2U);  // of the first run, and of the one that was timed
}

TEST(Worker, PreconditionsTheDeviceForEachCeiling) {
  OneRun::preconditioned.reset();
  std::optional<Bound> preconditioned_then;
  Case item = case_right_for(2);
  item.work().traffic.bound = Bound::kCompute;
  const Ceiling bf16{"bf16", Unit::kGflopPerS};
  item.ceiling = ToldCeiling{bf16, [](Seconds) { return 1.0; }};
  item.prepare = [&preconditioned_then, prepare = item.prepare](const PrepareContext& context) {
    preconditioned_then = OneRun::preconditioned;
    return prepare(context);
  };
  const auto report = run_machine_worker({item}, backend());
  EXPECT_EQ(report.ceilings.count(bf16), 1U) << report.message;
  EXPECT_EQ(preconditioned_then, Bound::kCompute);
}

TEST(Worker, ReportsTheDevicesCeilings) {
  const auto report = run_machine_worker({}, backend());
  EXPECT_EQ(report.ceilings.at({"triad", Unit::kGbPerS}), 10);
  EXPECT_FALSE(report.environment.at("libtorch").empty());
}

}  // namespace
}  // namespace perfgate
