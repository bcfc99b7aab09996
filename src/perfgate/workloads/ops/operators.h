#pragma once
// Single LibTorch operators that everything else rests on. When a model regresses, these say
// whether the operator or what is around it got slower.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::ops {

/// Square matrix product: fp32 at 512 on a CPU; bf16 at 512, 2048 and 8192 on a GPU.
std::vector<Case> mm(at::DeviceType device);
/// Attention without a mask, heads of 64 over 512 positions: [2, 8, 512, 64] fp32 on a CPU,
/// [128, 8, 512, 64] bf16 on a GPU.
std::vector<Case> sdpa(at::DeviceType device);
/// x[4096, D] over its last axis: fp32 at D = 1024 on a CPU, bf16 at 8192 on a GPU.
std::vector<Case> layer_norm(at::DeviceType device);
/// W[D, D] x[D] at D = 4096: fp32 on a CPU, bf16 on a GPU.
std::vector<Case> gemv(at::DeviceType device);
/// One buffer into another: 64 MiB on a CPU, 512 MiB on a GPU.
std::vector<Case> copy(at::DeviceType device);

/// cuDNN's LSTM forward, one layer of 512 over 100 steps of a batch of 64 in fp32 (TF32 inside):
/// some 200 kernels, whose gaps vary from process to process. GPUs only.
std::vector<Case> lstm(at::DeviceType device);

}  // namespace perfgate::ops
