// The LSTMs of fastrnns on the CPU: every way to run them agrees with float64, and scripts run
// as they are told to.

#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/codegen/fuser/compiler.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/jit_log.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/fastrnns/executor.h"
#include "perfgate/workloads/fastrnns/lstm.h"
#include "perfgate/workloads/fastrnns/lstm_dropout.h"
#include "perfgate/workloads/fastrnns/lstm_layer_norm.h"
#include "perfgate/workloads/fastrnns/lstm_network.h"
#include "perfgate/workloads/fastrnns/lstm_script.h"
#include "perfgate/workloads/fastrnns/lstm_variable.h"
#include "perfgate/workloads/fastrnns/lstm_variable_network.h"
#include "perfgate/workloads/prepared.h"
#include "phase_cases.h"

namespace perfgate::fastrnns {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Case> all(at::DeviceType device) {
  std::vector<Case> out;
  for (const auto& table : {lstm, lstm_dropout, lstm_layer_norm, lstm_variable}) {
    for (auto& item : table(device)) {
      out.push_back(std::move(item));
    }
  }
  return out;
}

std::vector<Case> scripts() {
  std::vector<Case> out = all(at::DeviceType::CPU);
  std::erase_if(out, [](const Case& item) { return item.shown.parameters.count("executor") == 0; });
  return out;
}

class Lstm : public OneThread {};

TEST_F(Lstm, ScriptsAgreeWithFloat64UnderEverySettingThatThisBuildHas) {
  const c10::InferenceMode as_in_a_worker;
  int agreed = 0;
  for (const auto& item : scripts()) {
    try {
      EXPECT_EQ(wrong_elements(prepare(item)), 0) << item.key;
      ++agreed;
    } catch (const Unsupported& refusal) {
      EXPECT_THAT(std::string(refusal.what()), testing::Not(IsEmpty()));
    }
  }
  EXPECT_GE(agreed, 36);  // nine scripts: no fuser by three executors, TensorExpr by one
}

// Those that a GPU alone has: what they call is there on a CPU too, cuDNN's place is taken by
// LibTorch's own.
TEST_F(Lstm, WhatGpusAloneRunAgreesToo) {
  const c10::InferenceMode as_in_a_worker;
  const std::set<std::string> gpu_only = {"cudnn_layernorm", "vl_cudnn"};
  std::size_t agreed = 0;
  for (const auto& item : all(at::DeviceType::CUDA)) {
    if (gpu_only.count(item.key.substr(item.key.rfind('/') + 1)) > 0) {
      EXPECT_EQ(wrong_elements(prepare(item)), 0) << item.key;
      ++agreed;
    }
  }
  EXPECT_EQ(agreed, gpu_only.size());
}

TEST_F(Lstm, SequencesAreOfManyLengthsBelowAllSteps) {
  for (const auto device : {at::DeviceType::CPU, at::DeviceType::CUDA}) {
    const LstmShape shape = lstm_shape(device);
    const auto lengths = lengths_of(shape);
    EXPECT_EQ(lengths.size(), static_cast<std::size_t>(shape.batch));
    EXPECT_THAT(lengths, testing::Each(testing::AllOf(testing::Ge(3 * shape.steps / 10),
                                                      testing::Lt(shape.steps))));
    EXPECT_GT(std::set<std::int64_t>(lengths.begin(), lengths.end()).size(), lengths.size() / 3);
  }
}

// What arrives behind the end of a sequence is of no value that was computed.
TEST_F(Lstm, GradientsAreZeroBehindTheEndOfASequence) {
  const VariableLstm network = make_variable({9, 5, 8, 8}, at::kCPU);
  const auto packed = [](const VariableLstm& all) { return run_packed(all, false); };
  using Run = std::function<LstmResult(const VariableLstm&)>;
  for (const Run& run : {Run(run_each_in_cells), Run(run_each), Run(packed)}) {
    for (const auto& leaf : network.leaves()) {
      leaf.mutable_grad() = at::zeros_like(leaf);
    }
    const at::Tensor output = run(network).output;
    at::Tensor behind = at::ones_like(output);
    for (std::size_t i = 0; i < network.sequences.size(); ++i) {
      const auto length = network.sequences[i].size(0);
      behind.narrow(0, 0, length).select(1, static_cast<std::int64_t>(i)).zero_();
    }
    ASSERT_GT(behind.count_nonzero().item<std::int64_t>(), 0);
    EXPECT_EQ((output.detach() * behind).count_nonzero().item<std::int64_t>(), 0);
    output.backward(behind);
    for (const auto& leaf : network.leaves()) {
      EXPECT_EQ(leaf.grad().count_nonzero().item<std::int64_t>(), 0);
    }
  }
}

TEST_F(Lstm, DropoutDropsTheSameTwoFifthsInEveryRun) {
  const c10::InferenceMode as_in_a_worker;
  const auto cases = lstm_dropout(at::DeviceType::CPU);
  const Prepared prepared = prepare(cases.at(0));
  const PreparedPhase& forward = prepared.phase(Phase::kForward);
  const at::Tensor first = forward.run_once()[3].clone();
  prepared.phase(Phase::kBackward).run_once();
  EXPECT_TRUE(forward.run_once()[3].equal(first));
  const auto values = static_cast<double>(first.numel());
  const auto kept = static_cast<double>(first.count_nonzero().item<std::int64_t>());
  EXPECT_NEAR(kept / values, 0.6, 5 * std::sqrt(0.6 * 0.4 / values));
}

TEST_F(Lstm, OnlyLibTorchsOwnSettingsAreInANight) {
  for (const auto& item : scripts()) {
    EXPECT_EQ(item.by_default, item.key.ends_with("/te_profiling")) << item.key;
  }
}

TEST_F(Lstm, ASettingThatNothingCanRunSaysWhy) {
  EXPECT_EQ(why_unavailable({Fuser::kTe, Executor::kProfiling}, false), "");
  EXPECT_EQ(why_unavailable({Fuser::kNone, Executor::kLegacy}, false), "");
  EXPECT_THAT(why_unavailable({Fuser::kTe, Executor::kSimple}, false), HasSubstr("TensorExpr"));
  if (!torch::jit::fuser::hasFusionBackend(at::kCPU)) {  // some builds have it
    EXPECT_THAT(why_unavailable({Fuser::kOld, Executor::kLegacy}, false), HasSubstr("old fuser"));
  }
}

TEST_F(Lstm, SeveralLayersAgree) {
  const LstmShape shape = {7, 3, 10, 12, 2};
  const LstmNetwork network = make_lstm(shape, at::kCPU);
  const auto expected = run_operator(exact(network), false);
  for (const auto& actual :
       {run_operator(network, false), run_loop(network), scripted("jit_multilayer", network)()}) {
    const Tolerance tolerance = {1e-5, 0};
    const auto check = [&](const at::Tensor& a, const at::Tensor& b) {
      EXPECT_EQ(compare(a.detach(), b.detach(), tolerance).wrong_elements, 0);
    };
    check(actual.output, expected.output);
    check(actual.hidden, expected.hidden);
    check(actual.cell, expected.cell);
  }
  EXPECT_THROW(scripted("jit", network), std::invalid_argument);
  EXPECT_THROW(scripted("no_such", network), std::invalid_argument);
}

TEST_F(Lstm, AGuardLeavesTheSettingsAsItFoundThem) {
  namespace jit = torch::jit;
  const auto settings = [] {
    return std::tuple(bool(jit::getExecutorMode()), bool(jit::getProfilingMode()),
                      jit::canFuseOnGPU(), jit::tensorExprFuserEnabled());
  };
  const auto before = settings();
  {
    const ScriptSettingsGuard guard({Fuser::kNone, Executor::kLegacy});
    EXPECT_EQ(settings(), std::tuple(false, false, false, false));
    try {
      const ScriptSettingsGuard inner({Fuser::kTe, Executor::kProfiling});
      const bool gpus = jit::fuser::hasFusionBackend(at::kCUDA);  // else it never fuses on one
      EXPECT_EQ(settings(), std::tuple(true, true, gpus, true));
      throw std::runtime_error("a script that fails");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(settings(), std::tuple(false, false, false, false));
  }
  EXPECT_EQ(settings(), before);
}

// LibTorch's own log of what its executors compile.
class CompilationLog {
 public:
  CompilationLog() : levels_(torch::jit::get_jit_logging_levels()) {
    torch::jit::set_jit_logging_output_stream(text_);
    torch::jit::set_jit_logging_levels(">>profiling_graph_executor_impl");
  }
  ~CompilationLog() {
    torch::jit::set_jit_logging_levels(levels_);
    torch::jit::set_jit_logging_output_stream(std::cerr);
  }
  std::string take() {
    std::string out = text_.str();
    text_.str("");
    return out;
  }

 private:
  std::string levels_;
  std::ostringstream text_;
};

TEST_F(Lstm, NothingIsCompiledInASample) {
  const c10::InferenceMode as_in_a_worker;
  for (const auto& item : scripts()) {
    if (!item.by_default) {
      continue;
    }
    CompilationLog log;
    const Prepared prepared = prepare(item);
    EXPECT_THAT(log.take(), testing::Not(IsEmpty())) << item.key;
    for (int i = 0; i < 5; ++i) {
      for (const auto& [phase, part] : prepared.phases) {
        part.run_once();
      }
      EXPECT_THAT(log.take(), IsEmpty()) << item.key << ", sample " << i;
    }
  }
}

}  // namespace
}  // namespace perfgate::fastrnns
