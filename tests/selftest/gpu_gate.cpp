// A gate binary of cases that misuse a GPU, or compute wrongly on it, on purpose, for gpu_test.cpp
// to run as a user would.

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

#include "fixtures/other_model.h"
#include "perfgate/backends/backend.h"
#include "perfgate/gtest/perfgate_main.h"
#include "perfgate/workloads/attention/mha.h"
#include "perfgate/workloads/captured_graph.h"
#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/language_models/declared_work.h"
#include "perfgate/workloads/language_models/session.h"
#include "perfgate/workloads/prepared.h"
#include "perfgate/workloads/sparse/products.h"

namespace perfgate::selftest {
namespace {

using Deed = std::function<at::Tensor(at::TensorOptions)>;

Case case_that(const std::string& deed, const Deed& run) {
  Case item;
  item.key = "gpu/" + deed;
  item.work().traffic = {{1e6}, {1e6}, Bound::kMemory};
  item.work().executed = item.work().traffic;
  item.prepare = [run](const PrepareContext& context) {
    const auto options = at::TensorOptions(at::kFloat).device(context.device);
    return PreparedPhase{[=] { return run(options); },
                         [] { return at::zeros({1024}, at::kDouble); },
                         {{1e-6, 0}},
                         {}};
  };
  return item;
}

const Case& case_of(const std::string& key, const std::vector<Case>& cases) {
  const auto found = std::find_if(cases.begin(), cases.end(),
                                  [&](const Case& candidate) { return candidate.key == key; });
  return found == cases.end() ? throw std::invalid_argument("no case " + key) : *found;
}

// The element of the output at that place, row by row. Of a nested one the first alone.
at::Tensor element_of(const at::Tensor& output, std::int64_t place) {
  if (output.is_nested()) {
    return output.unbind().front().flatten()[0];
  }
  std::int64_t offset = output.storage_offset();
  for (std::int64_t dimension = output.dim() - 1; dimension >= 0; --dimension) {
    offset += place % output.size(dimension) * output.stride(dimension);
    place /= output.size(dimension);
  }
  return output.as_strided({}, {}, offset);
}

// Zeros that a graph makes, captured on the stream that the body is measured on.
at::Tensor replayed_zeros(const at::TensorOptions& options) {
  static at::Tensor zeros = at::ones({1024}, options);
  static const auto replay = captured_graph([] { zeros.zero_(); });
  replay();
  return zeros;
}

namespace models = language_models;

constexpr models::Execution kEager = models::Execution::kEager;
constexpr models::Execution kGraph = models::Execution::kGraph;

models::Run run_of(models::Execution execution) {
  return {models::tiny_mixtral(), {at::kBFloat16, true}, execution, 32, 12};
}

// The decode step of a tiny language model as a graph.
Case generating(const std::string& deed, const std::function<Prepared(at::Device)>& prepare) {
  Case item;
  item.key = "gpu/" + deed;
  item.phases = {{Phase::kDecode, models::work_of_decode(run_of(kGraph))}};
  item.footprint = {1e9};
  item.prepare = [prepare](const PrepareContext& context) { return prepare(context.device); };
  return item;
}

Prepared by_graph(at::Device device) {
  return models::prepare_generation(run_of(kGraph), device, models::eager_pass);
}

// What is captured is another model's pass: without the attention of one layer.
Prepared by_wrong_graph(at::Device device) {
  const auto run = run_of(kGraph);
  return models::prepare_generation(run, device, [&](const models::Transformer&) {
    return testing_support::pass_of_a_damaged_model(
        run, device, 1, [](const models::Layer& layer) { layer.attention.output.scales.zero_(); });
  });
}

// Bit for bit what the same steps give that are queued kernel by kernel.
Prepared by_graph_as_eagerly(at::Device device) {
  Prepared out = by_graph(device);
  const auto eager = models::prepare_generation(run_of(kEager), device, models::eager_pass);
  PreparedPhase& decode = out.phase(Phase::kDecode);
  decode.reference = [eager] {
    Outputs exact;
    for (const auto& output : eager.phase(Phase::kDecode).run_once()) {
      exact.push_back(output.to(at::kDouble));
    }
    return exact;
  };
  decode.tolerances.assign(decode.tolerances.size(), {});
  return out;
}

// The case of that key, with one element of its output off by twice the tolerance.
Case wrong_version_of(const std::string& key, const std::vector<Case>& cases) {
  Case item = case_of(key, cases);
  item.key = "gpu/wrong/" + key;
  item.shown.compared_with.clear();
  item.footprint.count *= 3;  // the reference is made while it is prepared
  item.prepare = [prepare = item.prepare](const PrepareContext& context) {
    Prepared out = prepare(context);
    auto& whole = out.phase();
    const auto right = whole.reference()[0].flatten();
    const bool nested = whole.run()[0].is_nested();
    const std::int64_t place = nested ? 0 : right.numel() / 2;
    const auto value = right[place].item<double>();
    const auto& tolerance = whole.tolerances[0];
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(value);
    const double off = allowed > 0 ? 2 * allowed : 1;
    whole.run = [run = whole.run, place, value, off] {
      auto output = run();
      element_of(output[0], place).fill_(value + off);
      return output;
    };
    return out;
  };
  return item;
}

// The case of that key, for which another one stands in where PERFGATE_SELFTEST_SWITCH is set: as
// when a library silently takes another kernel.
Case switched(const std::string& key, const std::string& other, const std::vector<Case>& cases) {
  Case item = case_of(key, cases);
  item.key = "gpu/switched/" + key.substr(0, key.find('/'));
  item.shown.compared_with.clear();
  if (std::getenv("PERFGATE_SELFTEST_SWITCH") != nullptr) {
    item.prepare = case_of(other, cases).prepare;
  }
  return item;
}

std::vector<Case> cases(at::DeviceType device) {
  std::vector<Case> out;
  out.push_back(case_that("illegal_access", [](const at::TensorOptions& options) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that nothing has
    void* nowhere = reinterpret_cast<void*>(std::uintptr_t{256});
    return at::for_blob(nowhere, {1024})
        .target_device(options.device())
        .options(options)
        .make_tensor()
        .add(1);
  }));
  Case large = case_that(
      "too_large", [](const at::TensorOptions& options) { return at::zeros({1024}, options); });
  large.footprint = {1e15};
  out.push_back(std::move(large));
  out.push_back(case_that("allocates_too_much", [](const at::TensorOptions& options) {
    return at::empty({std::int64_t{1} << 48}, options);
  }));
  Case holds_more = case_that("holds_more", [](const at::TensorOptions& options) {
    return at::zeros({std::int64_t{1} << 26}, options).narrow(0, 0, 1024);
  });
  holds_more.footprint = {1e6};
  out.push_back(std::move(holds_more));
  if (device != at::DeviceType::CPU) {
    const auto tensor = sparse::tensor(device);
    const auto linear = sparse::linear(device);
    const auto mha = attention::mha(device);
    out.push_back(wrong_version_of("sparse/tensor/bert/fp16/1024x1024/cusparselt", tensor));
    for (const char* dtype : {"fp16", "int8", "fp32"}) {
      const std::string stem = std::string("sparse/linear/bert/") + dtype + "/1024x1024/";
      out.push_back(wrong_version_of(stem + "cusparselt", linear));
    }
    out.push_back(wrong_version_of("attention/128x8x512x512/fp16/flash", mha));
    out.push_back(wrong_version_of("attention/256x32x256x512/fp16/nested/composite", mha));
    out.push_back(switched("sparse/tensor/bert/fp16/4096x1024/cusparselt",
                           "sparse/tensor/bert/fp16/4096x1024/dense", tensor));
    out.push_back(switched("attention/128x8x512x512/fp16/flash",
                           "attention/128x8x512x512/fp16/efficient", mha));
  }
  out.push_back(case_that("replays_a_graph", replayed_zeros));
  out.push_back(generating("generates_by_a_graph", by_graph));
  out.push_back(generating("generates_by_a_wrong_graph", by_wrong_graph));
  out.push_back(generating("generates_by_a_graph_as_eagerly", by_graph_as_eagerly));
  out.push_back(case_that("queues_too_much", [](const at::TensorOptions& options) {
    constexpr int kMoreThanAQueueTakes = 3000;
    auto zeros = at::zeros({1024}, options);
    for (int i = 0; i < kMoreThanAQueueTakes; ++i) {
      zeros.add_(0);
    }
    return zeros;
  }));
  out.push_back(case_that("synchronises", [](const at::TensorOptions& options) {
    auto zeros = at::zeros({1024}, options);
    zeros.add_(zeros.sum().item<double>());  // waits for the GPU
    return zeros;
  }));
  out.push_back(case_that(
      "well", [](const at::TensorOptions& options) { return at::zeros({1024}, options); }));
  out.push_back(out.back());
  out.back().key = "gpu/computes";
  out.back().work().traffic.bound = Bound::kCompute;
  return out;
}

const Tables kTables = {cases};

}  // namespace

}  // namespace perfgate::selftest

int main(int argc, char** argv) {
  perfgate::Suite suite;
  suite.name = "gpu_gate";
  return perfgate::perfgate_main(argc, argv, perfgate::make_backend, suite);
}
