#include "perfgate/workloads/sparse/shapes.h"

namespace perfgate::sparse {
namespace {

// The four products of a BERT-large layer, every side times `parts` / 32.
ShapeSet bert(const std::string& name, const std::string& mode, std::int64_t parts) {
  ShapeSet out{name, mode, {}};
  for (const auto& [m, k] : {std::pair{3072, 1024}, {4096, 1024}, {1024, 1024}, {1024, 4096}}) {
    const Shape shape{m / 32 * parts, k / 32 * parts, 16384 / 32 * parts};
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
  return {bert("bert", "nvidia-bert", 32), fixed_k, fixed_mn};
}

// Not a power of two: rows of 8 KiB compete for a few sets of the caches, and how much depends on
// where a process's pages lie (up to 25 % between processes).
std::vector<ShapeSet> cpu_shapes() { return {bert("bert_small", "bert-small", 3)}; }

}  // namespace perfgate::sparse
