#pragma once
// Multi-head attention, self-attention of x without a mask, as nn.MultiheadAttention does it and as
// its parts: one projection to queries, keys and values, scaled_dot_product_attention, one
// projection back.
//   nn_mha              nn.MultiheadAttention called without further arguments: it returns the
//                       attention weights too, and for them gives up its fused kernels
//   nn_mha_fused        the same with need_weights off: fused on GPUs, of heads whose width is a
//                       multiple of eight; on CPUs not
//   composite           the parts, by whichever fused kernel LibTorch prefers
//   flash, efficient, cudnn, math        composite by that kernel alone
//   nn_mha_compiled, composite_compiled  by AOTInductor; dense input only
// Every one is compared with nn_mha.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::attention {

std::vector<Case> mha(at::DeviceType device);

/// The cases of a key of this family whose sizes are in no table:
/// attention/64x16x1024x1024/bf16/flash, say, or with a glob for the implementation. Nothing for
/// keys of another form. Compiled ones are not among them: their packages are made for the table.
/// Throws UsageError where the key has the form and nothing can be made of it, with why and what is
/// possible.
std::vector<Case> custom_mha(const std::string& keys, at::DeviceType device);

}  // namespace perfgate::attention
