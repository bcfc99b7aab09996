#pragma once
// The shapes of the sparse family.

#include <cstdint>
#include <string>
#include <vector>

namespace perfgate::sparse {

/// A[m, k] B[k, n].
struct Shape {
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

struct NamedShape {
  std::string name;  ///< what differs within its set: "3072x1024", "mn4096", "k2560"
  Shape shape;
};

struct ShapeSet {
  std::string name;
  std::string mode;  ///< what the published benchmark calls it
  std::vector<NamedShape> shapes;
};

/// On GPUs, from the benchmark that NVIDIA and PyTorch publish for 2:4 sparsity: the four products
/// of a BERT-large layer ("bert"), square results over a fixed depth ("fixed_k"), and a fixed
/// result over growing depths ("fixed_mn").
std::vector<ShapeSet> gpu_shapes();

/// The products of a BERT-large layer, every side three 32nds: a millisecond of one CPU core.
std::vector<ShapeSet> cpu_shapes();

}  // namespace perfgate::sparse
