#include "perfgate/workloads/inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dequantize.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/randn.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace perfgate {

at::Tensor random_normal(at::IntArrayRef sizes, at::ScalarType dtype, at::Device device,
                         std::uint64_t seed) {
  const auto length = std::min(c10::multiply_integers(sizes), kBlockLength);
  const auto block = normal_values(length, seed).to(dtype);
  return repeated(block, sizes, device);
}

at::Tensor normal_values(std::int64_t count, std::uint64_t seed) {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  return at::randn({count}, generator, at::TensorOptions(at::kFloat));
}

at::Tensor repeated(const at::Tensor& block, at::IntArrayRef sizes, at::Device device) {
  if (block.numel() == 0) {
    throw std::invalid_argument("nothing to repeat");
  }
  const auto there = block.to(device);
  const auto count = c10::multiply_integers(sizes);
  auto out = at::empty({count}, there.options());
  for (std::int64_t begin = 0; begin < count; begin += there.numel()) {
    const auto length = std::min(there.numel(), count - begin);
    out.narrow(0, begin, length).copy_(there.narrow(0, 0, length));
  }
  return out.view(sizes);
}

at::Tensor exact(const at::Tensor& tensor) {
  if (tensor.is_complex()) {
    return tensor.to(at::kComplexDouble);
  }
  const at::Tensor out = (tensor.is_quantized() ? tensor.dequantize() : tensor).to(at::kDouble);
  if (at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false) &&
      tensor.element_size() > 4 && tensor.numel() > 0 &&
      out.abs().max().item<double>() > kLargestExactInteger) {
    throw std::invalid_argument(
        "integers beyond 2^53 have no exact value in float64: give a "
        "reference of integers");
  }
  return out;
}

at::Tensor matrix_vector_reference(const at::Tensor& matrix, const at::Tensor& vector) {
  constexpr std::int64_t kElements = std::int64_t{1} << 24;
  const auto rows = matrix.size(0);
  const auto step = std::max<std::int64_t>(1, kElements / matrix.size(1));
  const auto x = exact(vector);
  std::vector<at::Tensor> parts;
  for (std::int64_t begin = 0; begin < rows; begin += step) {
    const auto block = matrix.narrow(0, begin, std::min(step, rows - begin));
    parts.push_back(at::mv(exact(block), x));
  }
  return at::cat(parts);
}

}  // namespace perfgate
