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

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/fastrnns/executor.h"
#include "perfgate/workloads/fastrnns/lstm.h"
#include "perfgate/workloads/fastrnns/lstm_network.h"
#include "perfgate/workloads/fastrnns/lstm_script.h"
#include "perfgate/workloads/prepared.h"
#include "trained_cases.h"

namespace perfgate::fastrnns {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Case> scripts() {
  std::vector<Case> out;
  for (auto& item : lstm(at::DeviceType::CPU)) {
    if (item.shown.parameters.count("executor") > 0) {
      out.push_back(std::move(item));
    }
  }
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
  EXPECT_GE(agreed, 20);  // five scripts: no fuser by three executors, TensorExpr by one
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
        run(part);
      }
      EXPECT_THAT(log.take(), IsEmpty()) << item.key << ", sample " << i;
    }
  }
}

}  // namespace
}  // namespace perfgate::fastrnns
