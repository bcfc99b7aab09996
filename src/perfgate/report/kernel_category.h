#pragma once
// What kind of kernel a name stands for, by the naming of Inductor, TorchScript's fuser, LibTorch
// and NVIDIA's libraries.

#include <array>

#include "perfgate/core/enum_names.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

enum class KernelCategory {
  kPointwise,
  kReduction,
  kPersistentReduction,
  kForeach,
  kSplitScan,
  kTemplate,
  kLibrary,   ///< cuBLAS, cuDNN, cuSPARSELt, CUTLASS, flash and efficient attention, CUB; oneDNN,
              ///< MKL
  kOperator,  ///< of LibTorch on a CPU, the library's calls in it included
  kMemory,    ///< copies and sets
  kUnknown
};

template <>
inline constexpr EnumNames<KernelCategory, 10> kNames<KernelCategory> = {
    {{KernelCategory::kPointwise, "pointwise"},
     {KernelCategory::kReduction, "reduction"},
     {KernelCategory::kPersistentReduction, "persistent reduction"},
     {KernelCategory::kForeach, "foreach"},
     {KernelCategory::kSplitScan, "split scan"},
     {KernelCategory::kTemplate, "template"},
     {KernelCategory::kLibrary, "library"},
     {KernelCategory::kOperator, "operator"},
     {KernelCategory::kMemory, "memcpy/memset"},
     {KernelCategory::kUnknown, "unknown"}}};

/// `kernel`: as a trace has it, its name normalised.
KernelCategory category_of(const KernelRecord& kernel);

}  // namespace perfgate
