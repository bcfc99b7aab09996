// What a case may ask of its worker: autograd, memory formats, metrics of its own.

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <memory>

#include "one_run.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::backend;
using testing_support::case_right_for;

// The square of x and its gradient, by LibTorch's own autograd.
Case squared(bool autograd) {
  Case out;
  out.key = "demo/square";
  out.autograd = autograd;
  out.phases = {{Phase::kForward, {}}, {Phase::kBackward, {}}};
  out.prepare = [](const PrepareContext&) {
    const auto x = at::arange(4, at::kFloat).requires_grad_();
    Prepared prepared;
    PreparedPhase& forward = prepared.phases[Phase::kForward];
    forward.run = [x] { return x * x; };
    forward.reference = [x] { return exact(x) * exact(x); };
    forward.tolerances = {{}};
    forward.operands = {x};
    PreparedPhase& backward = prepared.phases[Phase::kBackward];
    const auto y = std::make_shared<at::Tensor>();
    backward.before_each = [x, y] { *y = x * x; };
    backward.run = [x, y] {
      return torch::autograd::grad({*y}, {x}, {at::ones({4}, at::kFloat)}).at(0);
    };
    backward.reference = [x] { return 2 * exact(x); };
    backward.tolerances = {{}};
    return prepared;
  };
  return out;
}

TEST(Worker, RunsWithAutogradWhereTheCaseAsksForIt) {
  const auto report = run_worker(squared(true), backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  EXPECT_EQ(report.phase(Phase::kBackward).outputs.at(0).accuracy->wrong_elements, 0);
}

TEST(Worker, HasNoAutogradElsewhere) {
  const auto report = run_worker(squared(false), backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_THAT(report.message, HasSubstr("does not require grad"));
  EXPECT_THAT(report.message, HasSubstr("a case that needs autograd sets Case::autograd"));
}

// Its output is its input plus one, in the same memory format.
Case with_operand(const at::Tensor& x) {
  Case out = case_right_for(1);
  out.prepare = [x](const PrepareContext&) {
    PreparedPhase whole;
    whole.run = [x] { return x + 1; };
    whole.reference = [x] { return exact(x) + 1; };
    whole.tolerances = {{0, 1e-6}};
    whole.operands = {x};
    return whole;
  };
  return out;
}

TEST(Worker, TakesOperandsInAnyDenseMemoryFormat) {
  const auto images = random_normal({2, 3, 5, 7}, at::kFloat, at::kCPU, 1);
  for (const auto& x :
       {images.contiguous(at::MemoryFormat::ChannelsLast), images.transpose(1, 3)}) {
    const auto report = run_worker(with_operand(x), backend(), {});
    EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
    const auto& output = report.phase(Phase::kWhole).outputs.at(0);
    EXPECT_FALSE(output.contiguous);
    EXPECT_EQ(output.accuracy->wrong_elements, 0);
    EXPECT_EQ(output.accuracy->elements, 210);
  }
}

TEST(Worker, RefusesAnOperandWhoseBytesAreNotItsOwn) {
  const auto x = at::zeros({4, 8});
  for (const auto& view : {x.slice(1, 0, 4), x.slice(0, 0, 1).expand({4, 8})}) {
    const auto report = run_worker(with_operand(view), backend(), {});
    EXPECT_EQ(report.status, WorkerStatus::kError);
    EXPECT_THAT(report.message, HasSubstr("operand 1 of the case is a view with gaps"));
  }
}

// A case that counts what it does.
Case counting(const std::map<std::string, double>& values) {
  Case out = with_operand(at::zeros({4}));
  out.work().own_metrics = {
      {.name = "accepted", .unit = Unit::kCount, .better = Better::kHigher, .tolerance = 0.1},
      {.name = "sent", .unit = Unit::kBytes}};
  out.prepare = [prepare = out.prepare, values](const PrepareContext& context) {
    Prepared prepared = prepare(context);
    prepared.phase().own_values = [values] { return values; };
    return prepared;
  };
  return out;
}

TEST(Worker, HasTheCasesOwnMetricsJudged) {
  const auto report = run_worker(counting({{"accepted", 3.5}, {"sent", 1e6}}), backend(), {});
  ASSERT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  const Metric accepted{Phase::kWhole, Quantity::kOwn,
                        own_quantity("accepted", Unit::kCount, Better::kHigher)};
  const auto& measured = report.metrics.at(accepted);
  EXPECT_EQ(measured.value, 3.5);
  EXPECT_TRUE(measured.judged);
  EXPECT_EQ(measured.tolerance, 0.1);
  EXPECT_EQ(measured.variance_class, "cpu/own");
  EXPECT_EQ(
      report.metrics
          .at({Phase::kWhole, Quantity::kOwn, own_quantity("sent", Unit::kBytes, Better::kLower)})
          .tolerance,
      std::nullopt);
}

TEST(Worker, RefusesOwnMetricsThatAreNotDeclaredOrHaveNoValue) {
  EXPECT_THAT(run_worker(counting({{"accepted", 3.5}}), backend(), {}).message,
              HasSubstr("own metric \"sent\" has no value"));
  EXPECT_THAT(run_worker(counting({{"accepted", 0}, {"sent", 1}}), backend(), {}).message,
              HasSubstr("own metric \"accepted\" is 0: nothing that is measured is below 1e-12"));
  EXPECT_THAT(
      run_worker(counting({{"accepted", std::nan("")}, {"sent", 1}}), backend(), {}).message,
      HasSubstr("own metric \"accepted\" is nan"));
  EXPECT_THAT(run_worker(counting({{"accepted", 1e-320}, {"sent", 1}}), backend(), {}).message,
              HasSubstr("own metric \"accepted\" is 1e-320: nothing that is measured"));
  EXPECT_THAT(
      run_worker(counting({{"accepted", 1}, {"sent", 1}, {"more", 1}}), backend(), {}).message,
      HasSubstr("own_values gives \"more\", which own_metrics does not declare"));
}

}  // namespace
}  // namespace perfgate
