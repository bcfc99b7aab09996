#include "perfgate/workloads/fastrnns/executor.h"

#include <torch/csrc/jit/codegen/fuser/compiler.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include "perfgate/workloads/case.h"

namespace perfgate::fastrnns {
namespace {

namespace jit = torch::jit;

void set(bool executor, bool profiling, bool fuse_on_gpu, bool tensor_expressions) {
  jit::getExecutorMode() = executor;
  jit::getProfilingMode() = profiling;
  jit::overrideCanFuseOnGPU(fuse_on_gpu);
  jit::setTensorExprFuserEnabled(tensor_expressions);
}

}  // namespace

std::string text_of(ScriptSettings settings) {
  return std::string(name_of(settings.fuser)) + "_" + std::string(name_of(settings.executor));
}

bool is_default(ScriptSettings settings) {
  return settings.fuser == Fuser::kTe && settings.executor == Executor::kProfiling;
}

std::vector<ScriptSettings> all_settings() {
  std::vector<ScriptSettings> out;
  for (const auto& [executor, executor_name] : kNames<Executor>) {
    for (const auto& [fuser, fuser_name] : kNames<Fuser>) {
      out.push_back({fuser, executor});
    }
  }
  return out;
}

std::string why_unavailable(ScriptSettings settings, bool on_gpu) {
  if (settings.fuser == Fuser::kOld &&
      !jit::fuser::hasFusionBackend(on_gpu ? at::kCUDA : at::kCPU)) {
    return "this LibTorch was built without the old fuser for this kind of device";
  }
  if (settings.fuser == Fuser::kTe && settings.executor != Executor::kProfiling) {
    return "TensorExpr fuses for the shapes that the profiling executor saw, and nothing without "
           "it";
  }
  return "";
}

ScriptSettingsGuard::ScriptSettingsGuard(ScriptSettings settings)
    : executor_(jit::getExecutorMode()),
      profiling_(jit::getProfilingMode()),
      fuse_on_gpu_(jit::canFuseOnGPU()),
      tensor_expressions_(jit::tensorExprFuserEnabled()) {
  set(settings.executor != Executor::kLegacy, settings.executor == Executor::kProfiling,
      settings.fuser != Fuser::kNone, settings.fuser == Fuser::kTe);
}

ScriptSettingsGuard::~ScriptSettingsGuard() {
  set(executor_, profiling_, fuse_on_gpu_, tensor_expressions_);
}

std::shared_ptr<ScriptSettingsGuard> guard_for(const std::optional<ScriptSettings>& settings,
                                               at::DeviceType device) {
  if (!settings) {
    return nullptr;
  }
  if (const auto why = why_unavailable(*settings, device != at::DeviceType::CPU); !why.empty()) {
    throw Unsupported(why);
  }
  return std::make_shared<ScriptSettingsGuard>(*settings);
}

}  // namespace perfgate::fastrnns
