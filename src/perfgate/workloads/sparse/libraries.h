#pragma once
// How each library multiplies a dense matrix by one of which every second value is zero, and what
// must come out.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/sparse/shapes.h"

namespace perfgate::sparse {

/// tensor: A B. linear: x W^T + bias, as a Linear layer has it, whose weights W are A and whose
/// input x is B^T.
enum class Function { kTensor, kLinear };

/// kDense multiplies as if nothing were zero; kCusparseltSearch takes the algorithm that
/// cuSPARSELt's own search has picked; kCsr and kBsr are LibTorch's own, for CPUs.
enum class Library { kDense, kCutlass, kCusparselt, kCusparseltSearch, kCsr, kBsr };

std::string name_of(Function function);
std::string name_of(Library library);

/// Which libraries there are for a kind of device, the dense one first.
std::vector<Library> libraries(at::DeviceType device);

/// Whether by 2:4 sparsity: fp32 is multiplied as TF32 then.
bool uses_sparse_tensor_cores(Library library);

struct Product {
  Function function = Function::kTensor;
  Shape shape;
  at::ScalarType dtype = at::kHalf;
  at::DeviceType device = at::DeviceType::CUDA;
};

/// int8, which sums in int32.
bool is_integer(const Product& product);

struct Operands {
  at::Tensor a;                    ///< [m, k], sparse
  at::Tensor b;                    ///< [k, n]
  std::optional<at::Tensor> bias;  ///< [m]
  std::vector<at::Tensor> memory;  ///< the same as contiguous tensors
};

/// The same values in every process.
Operands make_operands(const Product& product, Library library, at::Device device);

/// Packs A for the library and returns what multiplies: the result is [m, n], of a linear layer
/// [n, m]. Throws c10::Error where LibTorch or the device cannot. `tuning`: in, what an earlier
/// search of this product found; out, with what a search's library multiplies.
std::function<at::Tensor()> product_by(Library library, const Product& product,
                                       const Operands& operands, Tuning& tuning);

/// The algorithm that a search by this version of cuSPARSELt found, if the tuning tells of one.
std::optional<std::int64_t> algorithm_in(const Tuning& tuning, const std::string& version);

/// The product in float64.
at::Tensor reference(const Product& product, const Operands& operands);

/// How far a library's product may be from it.
Tolerance tolerance_of(const Product& product, Library library);

}  // namespace perfgate::sparse
