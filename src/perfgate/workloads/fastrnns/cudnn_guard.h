#pragma once
// Whether LibTorch may use cuDNN: a switch of the process.

namespace perfgate::fastrnns {

/// Sets the switch; when the guard goes, it is what it was.
class CudnnGuard {
 public:
  explicit CudnnGuard(bool allowed);
  ~CudnnGuard();
  CudnnGuard(const CudnnGuard&) = delete;
  CudnnGuard& operator=(const CudnnGuard&) = delete;

 private:
  bool before_;
};

}  // namespace perfgate::fastrnns
