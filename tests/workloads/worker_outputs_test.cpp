// Several outputs and several phases, each checked by itself, with a sampler that a test can read.

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "one_run.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::backend;
using testing_support::case_right_for;

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

// What a worker does of `item`, in its order, where so much memory is free.
std::vector<std::string> steps_of(Case item, double free_bytes) {
  std::vector<std::string> steps;
  item.prepare = [&steps](const PrepareContext&) {
    steps.emplace_back("prepare");
    PreparedPhase out = giving({0});
    out.run = [run = out.run, &steps] {
      steps.emplace_back("run");
      return run();
    };
    out.reference = [reference = out.reference, &steps] {
      steps.emplace_back("reference");
      return reference();
    };
    return out;
  };
  const Turn turn{[&steps] { steps.emplace_back("wait"); },
                  [&steps] { steps.emplace_back("end"); }};
  Backend roomy = backend();
  roomy.available_bytes = [free_bytes] { return free_bytes; };
  EXPECT_EQ(run_worker(item, roomy, {}, {}, turn).status, WorkerStatus::kMeasured);
  return steps;
}

TEST(Worker, PreparesBeforeItsTurnAndChecksBehindIt) {
  Case item = case_right_for(1);
  item.footprint = {1e6};
  const auto steps = steps_of(item, 64e9);
  ASSERT_GE(steps.size(), 6U);
  EXPECT_EQ(std::vector(steps.begin(), steps.begin() + 4),
            (std::vector<std::string>{"prepare", "run", "wait", "run"}));
  EXPECT_EQ(std::vector(steps.end() - 3, steps.end()),
            (std::vector<std::string>{"run", "end", "reference"}));
  EXPECT_EQ(std::count(steps.begin(), steps.end(), "end"), 1);
}

TEST(Worker, PreparesInItsTurnWhatOthersWouldDisturb) {
  Case item = case_right_for(1);
  item.footprint = {1e9};  // with what a worker takes beside it, a sixteenth of 25 GB
  EXPECT_EQ(steps_of(item, 26e9).front(), "prepare");
  EXPECT_EQ(steps_of(item, 24e9).front(), "wait");
  item.footprint = {0};  // nobody knows what it takes
  EXPECT_EQ(steps_of(item, 26e9).front(), "wait");
  item.footprint = {1e9};
  item.work().traffic.bound = Bound::kCompute;  // preconditioned
  EXPECT_EQ(steps_of(item, 26e9).front(), "wait");
  item.work().traffic.bound = Bound::kMemory;
  item.work().judged = Judged::kReplayAndHost;
  EXPECT_EQ(steps_of(item, 26e9).front(), "wait");
}

TEST(Worker, WaitingIsNoCostOfItsCase) {
  Backend roomy = backend();
  roomy.available_bytes = [] { return 64e9; };
  static constexpr std::chrono::seconds kWaits(1);
  const Turn turn{[] { std::this_thread::sleep_for(kWaits); }};
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {  // behind preparing, and before it
    Case item = case_right_for(1);
    item.work().traffic.bound = bound;
    const auto report = run_worker(item, roomy, {}, {}, turn);
    double told = 0;
    for (const auto& [step, cost_s] : report.costs_s) {
      told += cost_s;
    }
    EXPECT_LT(told, kWaits.count());
  }
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

TEST(Worker, RefusesAReferenceThatIsTheOutputAndOutputsWithoutElements) {
  const auto message_for = [](const at::Tensor& output, const at::Tensor& reference) {
    Case item = case_right_for(2);
    item.prepare = [=](const PrepareContext&) {
      return PreparedPhase{[=] { return output; }, [=] { return reference; }, {Tolerance{}}, {}};
    };
    const auto report = run_worker(item, backend(), {});
    EXPECT_EQ(report.status, WorkerStatus::kError);
    return report.message;
  };
  const auto output = at::zeros({3}, at::kDouble);
  EXPECT_THAT(message_for(output, output.view({3})), HasSubstr("in the memory of the output"));
  const auto empty = at::zeros({0}, at::kDouble);
  EXPECT_THAT(message_for(empty, empty.clone()), HasSubstr("nothing is checked"));
}

TEST(Worker, RefusesACaseWithoutAnyOutputToCheck) {
  Case item = case_right_for(2);
  item.prepare = [](const PrepareContext&) { return giving({}); };
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_THAT(report.message, HasSubstr("no output that could be checked"));
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

TEST_F(PhasedWorker, RefusesACaseThatPreparesOtherPhasesThanItDeclares) {
  Case item = case_of(0, 0);
  item.phases.erase(Phase::kBackward);
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_THAT(report.message, HasSubstr("prepares other phases than it declares"));
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

// A body that works in place finds what the run before it left.
TEST(Worker, SaysThatARunChangesItsOperandWhereThatMakesItWrong) {
  Case item = case_right_for(1);
  const auto in_place = [](bool put_back) {
    return [put_back](const PrepareContext&) {
      const auto x = at::full({4}, 1.0F);
      PreparedPhase out;
      out.run = [x] { return at::Tensor(x).mul_(2); };
      out.reference = [] { return at::full({4}, 2.0, at::kDouble); };
      out.tolerances = {{}};
      out.operands = {x};
      if (put_back) {
        out.before_each = [x] { at::Tensor(x).fill_(1); };
      }
      return out;
    };
  };
  item.prepare = in_place(false);
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kWrong);
  EXPECT_THAT(report.message, HasSubstr("changes its operand 1 in place"));
  EXPECT_THAT(report.message, HasSubstr("PreparedPhase::before_each"));
  item.prepare = in_place(true);
  EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
  item.prepare = [](const PrepareContext&) { return giving({1}); };  // wrong, and not in place
  EXPECT_THAT(run_worker(item, backend(), {}).message, testing::Not(HasSubstr("in place")));
}

}  // namespace
}  // namespace perfgate
