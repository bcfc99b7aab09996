#include "perfgate/report/kernel_category.h"

#include <algorithm>
#include <string_view>

namespace perfgate {
namespace {

struct Rule {
  std::string_view text;
  KernelCategory category;
};

// How names begin.
constexpr std::array kPrefixes = {
    Rule{"triton_poi", KernelCategory::kPointwise},
    Rule{"triton_red", KernelCategory::kReduction},
    Rule{"triton_per", KernelCategory::kPersistentReduction},
    Rule{"triton_for", KernelCategory::kForeach},
    Rule{"triton_spl", KernelCategory::kSplitScan},
    Rule{"triton_tem", KernelCategory::kTemplate},
    Rule{"triton_mm", KernelCategory::kTemplate},
    Rule{"triton_", KernelCategory::kUnknown},
    Rule{"fused_", KernelCategory::kPointwise},  // TorchScript's fuser
    Rule{"memcpy", KernelCategory::kMemory},
    Rule{"memset", KernelCategory::kMemory},
    Rule{"oneDNN ", KernelCategory::kLibrary},
    Rule{"MKL ", KernelCategory::kLibrary},
};

// What names have in them, the first that does. A library's name stands in many of its kernels'.
constexpr std::array kParts = {
    Rule{"cudnn", KernelCategory::kLibrary},
    Rule{"cublas", KernelCategory::kLibrary},
    Rule{"cusparse", KernelCategory::kLibrary},
    Rule{"cutlass", KernelCategory::kLibrary},
    Rule{"nvjet_", KernelCategory::kLibrary},
    Rule{"xmma_", KernelCategory::kLibrary},
    Rule{"gemvx", KernelCategory::kLibrary},
    Rule{"LSTM_elementWise", KernelCategory::kLibrary},  // cuDNN's
    Rule{"flash_fwd", KernelCategory::kLibrary},
    Rule{"flash_bwd", KernelCategory::kLibrary},
    Rule{"fmha_", KernelCategory::kLibrary},
    Rule{"cub::", KernelCategory::kLibrary},
    Rule{"multi_tensor_apply", KernelCategory::kForeach},
    Rule{"elementwise_kernel", KernelCategory::kPointwise},
    Rule{"reduce_kernel", KernelCategory::kReduction},
    Rule{"softmax", KernelCategory::kReduction},
    Rule{"SoftMax", KernelCategory::kReduction},
    Rule{"layer_norm", KernelCategory::kReduction},
    Rule{"batch_norm_collect_statistics", KernelCategory::kReduction},
    Rule{"batch_norm_backward", KernelCategory::kReduction},
    Rule{"batch_norm_transform", KernelCategory::kPointwise},
};

}  // namespace

KernelCategory category_of(const KernelRecord& kernel) {
  const std::string& name = kernel.name;
  const auto prefix = std::find_if(kPrefixes.begin(), kPrefixes.end(), [&name](const Rule& rule) {
    return name.rfind(rule.text, 0) == 0;
  });
  if (prefix != kPrefixes.end()) {
    return prefix->category;
  }
  if (!kernel.implementation.empty()) {
    return KernelCategory::kOperator;  // autograd's too, which are named as they like
  }
  const auto part = std::find_if(kParts.begin(), kParts.end(), [&name](const Rule& rule) {
    return name.find(rule.text) != std::string::npos;
  });
  return part == kParts.end() ? KernelCategory::kUnknown : part->category;
}

}  // namespace perfgate
