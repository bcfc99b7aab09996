#pragma once
// In which precision a network trains, and the switches of LibTorch behind it.

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include "perfgate/core/enum_names.h"

namespace perfgate::fastrnns {

enum class Precision {
  kFp32,          ///< as LibTorch comes: cuDNN multiplies in TF32, matrix products do not
  kTf32,          ///< matrix products in TF32 too
  kBf16Autocast,  ///< weights in fp32, convolutions and products in bf16
};

/// Sets the process's switch for matrix products, and what it was again when it goes.
class PrecisionGuard {
 public:
  explicit PrecisionGuard(Precision precision);
  ~PrecisionGuard();
  PrecisionGuard(const PrecisionGuard&) = delete;
  PrecisionGuard& operator=(const PrecisionGuard&) = delete;

 private:
  bool tf32_;
};

/// Autocast on one kind of device for what this thread runs until the guard goes: casts of the
/// weights are kept for as long, as PyTorch's torch.autocast does.
class AutocastGuard {
 public:
  explicit AutocastGuard(at::DeviceType device);
  ~AutocastGuard();
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  at::DeviceType device_;
  bool enabled_;
  at::ScalarType dtype_;
};

}  // namespace perfgate::fastrnns

namespace perfgate {
template <>
inline constexpr EnumNames<fastrnns::Precision, 3> kNames<fastrnns::Precision> = {
    {{fastrnns::Precision::kFp32, "fp32"},
     {fastrnns::Precision::kTf32, "tf32"},
     {fastrnns::Precision::kBf16Autocast, "bf16_autocast"}}};
}  // namespace perfgate
