#include "perfgate/workloads/inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <vector>

namespace perfgate {

at::Tensor random_normal(at::IntArrayRef sizes, at::ScalarType dtype, at::Device device,
                         std::uint64_t seed) {
  constexpr std::int64_t kBlock = 1'048'573;  // the largest prime below 2^20
  std::int64_t count = 1;
  for (const auto size : sizes) {
    count *= size;
  }
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  const auto block = at::randn({std::min(count, kBlock)}, generator, at::TensorOptions(at::kFloat))
                         .to(dtype)
                         .to(device);
  auto out = at::empty({count}, at::TensorOptions(dtype).device(device));
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    const auto length = std::min(kBlock, count - begin);
    out.narrow(0, begin, length).copy_(block.narrow(0, 0, length));
  }
  return out.view(sizes);
}

at::Tensor exact(const at::Tensor& tensor) { return tensor.to(at::kDouble); }

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
