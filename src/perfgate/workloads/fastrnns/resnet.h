#pragma once
// The ResNets of PyTorch's fastrnns benchmark, trained: forward and backward as phases of one case.

#include <optional>
#include <vector>

#include "perfgate/workloads/case.h"
#include "perfgate/workloads/fastrnns/executor.h"
#include "perfgate/workloads/fastrnns/precision.h"
#include "perfgate/workloads/fastrnns/resnet_shape.h"

namespace perfgate::fastrnns {

/// A way to train one.
struct ResnetRun {
  ResnetShape shape;
  Precision precision = Precision::kFp32;
  bool channels_last = false;
  std::optional<ScriptSettings> traced = std::nullopt;  ///< as TorchScript; else eager
  bool compiled = false;                                ///< forward alone, by AOTInductor
};

Case resnet_case(const ResnetRun& run, at::DeviceType device);

/// On GPUs ResNet-18 and 50 at the benchmark's size, 32 pictures of 224 x 224; ResNet-50 also in
/// TF32, bf16 and channels_last. On CPUs ResNet-18, two pictures of 64 x 64. Traced ones once for
/// each fuser and executor; LibTorch's defaults in a night. Compiled ones have forward alone.
std::vector<Case> resnet(at::DeviceType device);

}  // namespace perfgate::fastrnns
