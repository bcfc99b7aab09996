#include "perfgate/workloads/sparse/shapes.h"

namespace perfgate::sparse {
namespace {

ShapeSet bert(const std::string& name, const std::string& mode, std::int64_t divisor) {
  ShapeSet out{name, mode, {}};
  for (const auto& [m, k] : {std::pair{3072, 1024}, {4096, 1024}, {1024, 1024}, {1024, 4096}}) {
    const Shape shape{m / divisor, k / divisor, 16384 / divisor};
    out.shapes.push_back({std::to_string(shape.m) + "x" + std::to_string(shape.k), shape});
  }
  return out;
}

}  // namespace

std::vector<ShapeSet> gpu_shapes() {
  constexpr std::int64_t kFixed = 10240;
  ShapeSet fixed_k{"fixed_k", "nvidia-fixed-k", {}};
  for (std::int64_t mn = 3072; mn <= 20480; mn += 1024) {
    fixed_k.shapes.push_back({"mn" + std::to_string(mn), {mn, kFixed, mn}});
  }
  ShapeSet fixed_mn{"fixed_mn", "nvidia-fixed-mn", {}};
  for (std::int64_t k = 2560; k <= 20480; k += 1280) {
    fixed_mn.shapes.push_back({"k" + std::to_string(k), {kFixed, k, kFixed}});
  }
  return {bert("bert", "nvidia-bert", 1), fixed_k, fixed_mn};
}

std::vector<ShapeSet> cpu_shapes() { return {bert("bert_8th", "bert-8th", 8)}; }

}  // namespace perfgate::sparse
