#include "perfgate/workloads/language_models/rms_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/rsqrt.h>

namespace perfgate::language_models {

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  const auto wide = x.scalar_type() == at::kDouble ? x : x.to(at::kFloat);
  const auto scale = at::rsqrt((wide * wide).mean(-1, /*keepdim=*/true) + epsilon);
  return (wide * scale).to(x.scalar_type()) * weight;
}

}  // namespace perfgate::language_models
