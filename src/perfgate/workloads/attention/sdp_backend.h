#pragma once
// Which kernels scaled_dot_product_attention may choose from: settings of the whole process, set
// while this lives.

namespace perfgate::attention {

enum class SdpBackend {
  kFused,  ///< whichever fused one LibTorch prefers: all but math
  kFlash,
  kEfficient,
  kCudnn,
  kMath
};

class SdpBackendGuard {
 public:
  explicit SdpBackendGuard(SdpBackend only);
  /// Restores what was set before.
  ~SdpBackendGuard();
  SdpBackendGuard(const SdpBackendGuard&) = delete;
  SdpBackendGuard& operator=(const SdpBackendGuard&) = delete;

 private:
  bool flash_;
  bool efficient_;
  bool cudnn_;
  bool math_;
};

}  // namespace perfgate::attention
