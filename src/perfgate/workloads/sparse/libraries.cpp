#include "perfgate/workloads/sparse/libraries.h"

#include <ATen/ops/_cslt_compress.h>
#include <ATen/ops/_cslt_sparse_mm.h>
#include <ATen/ops/_cslt_sparse_mm_search.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/_sparse_semi_structured_addmm.h>
#include <ATen/ops/_sparse_semi_structured_mm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <c10/util/Exception.h>

#include <dlfcn.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "perfgate/workloads/sparse/packing.h"

namespace perfgate::sparse {
namespace {

constexpr std::int64_t kBlock = 16;  // of BSR

// In a tuning.
constexpr const char* kVersion = "cusparselt";
constexpr const char* kAlgorithm = "algorithm";

std::optional<at::ScalarType> wanted_output(const Product& product) {
  return is_integer(product) ? std::optional(at::kInt) : std::nullopt;
}

// The integer products of the libraries have no bias in int32: it is added behind them.
at::Tensor with_bias(const at::Tensor& rows, const std::optional<at::Tensor>& bias) {
  return bias ? rows.add(*bias) : rows;
}

std::function<at::Tensor()> dense_product(const Product& product, const Operands& operands) {
  const auto a = operands.a;
  const auto b = operands.b;
  const auto bias = operands.bias;
  const bool integer = is_integer(product);
  if (product.function == Function::kTensor) {
    return [=] { return integer ? at::_int_mm(a, b) : at::mm(a, b); };
  }
  return [=] {
    return integer ? with_bias(at::_int_mm(b.t(), a.t()), bias) : at::linear(b.t(), a, bias);
  };
}

std::function<at::Tensor()> cutlass_product(const Product& product, const Operands& operands) {
  const auto packed = pack_for_cutlass(operands.a);
  const auto output = wanted_output(product);
  const auto b = operands.b;
  if (product.function == Function::kTensor) {
    return [=] { return at::_sparse_semi_structured_mm(packed.values, packed.meta, b, output); };
  }
  return [=, bias = *operands.bias] {
    return at::_sparse_semi_structured_addmm(bias, packed.values, packed.meta, b, 1, 1, output).t();
  };
}

// LibTorch does not say it. Empty where the library is not loaded.
std::string cusparselt_version() {
  using GetProperty = int (*)(int property, int* value);
  const auto get = reinterpret_cast<GetProperty>(dlsym(RTLD_DEFAULT, "cusparseLtGetProperty"));
  std::string out;
  for (int property = 0; get != nullptr && property < 3; ++property) {  // major, minor, patch
    int value = 0;
    if (get(property, &value) != 0) {
      return "";
    }
    out += (out.empty() ? "" : ".") + std::to_string(value);
  }
  return out;
}

// Whether LibTorch does it at all.
template <class Act>
bool runs(const Act& act) {
  try {
    act();
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

// `tuning`: what is known, and then what is, where a search is wanted: it times every algorithm,
// for 0.2 to 12 s, and its choice holds for as long as the library stays the same. LibTorch returns
// the algorithm alone: products are not split along k, by whichever.
std::function<at::Tensor()> cusparselt_product(const Product& product, const Operands& operands,
                                               bool search, Tuning& tuning) {
  const auto packed = at::_cslt_compress(operands.a);
  const auto output = wanted_output(product);
  const auto b = operands.b;
  // The library adds a bias of the product's own dtype.
  const auto fused = is_integer(product) ? std::nullopt : operands.bias;
  const auto multiply_by = [=](std::int64_t algorithm) {
    return at::_cslt_sparse_mm(packed, b, fused, {}, output, false, algorithm);
  };
  std::int64_t algorithm = 0;
  if (search) {
    const std::string version = cusparselt_version();
    const auto known = algorithm_in(tuning, version);
    if (known && runs([&] { multiply_by(*known); })) {
      algorithm = *known;
    } else {
      multiply_by(algorithm);  // what is refused is so at once, not once an algorithm
      algorithm = at::_cslt_sparse_mm_search(packed, b, fused, {}, output, false);
    }
    tuning.clear();
    if (!version.empty()) {
      tuning = {{kVersion, version}, {kAlgorithm, std::to_string(algorithm)}};
    }
  }
  const auto multiply = [=] { return multiply_by(algorithm); };
  if (product.function == Function::kTensor) {
    return multiply;
  }
  const auto added = is_integer(product) ? operands.bias : std::nullopt;
  return [=] { return with_bias(multiply().t(), added); };
}

}  // namespace

std::string name_of(Function function) {
  return function == Function::kTensor ? "tensor" : "linear";
}

std::string name_of(Library library) {
  switch (library) {
    case Library::kDense:
      return "dense";
    case Library::kCutlass:
      return "cutlass";
    case Library::kCusparselt:
      return "cusparselt";
    case Library::kCusparseltSearch:
      return "cusparselt_best";
    case Library::kCsr:
      return "csr";
    case Library::kBsr:
      return "bsr";
  }
  throw std::invalid_argument("no such library");
}

std::vector<Library> libraries(at::DeviceType device) {
  if (device == at::DeviceType::CPU) {
    return {Library::kDense, Library::kCsr, Library::kBsr};
  }
  return {Library::kDense, Library::kCutlass, Library::kCusparselt, Library::kCusparseltSearch};
}

bool uses_sparse_tensor_cores(Library library) {
  return library == Library::kCutlass || library == Library::kCusparselt ||
         library == Library::kCusparseltSearch;
}

bool is_integer(const Product& product) { return product.dtype == at::kChar; }

// x of a linear layer is [n, k], which makes B its transpose. int8 wants a column-major B anyway.
Operands make_operands(const Product& product, Library library, at::Device device) {
  const auto [m, k, n] = product.shape;
  Operands out;
  out.a = library == Library::kBsr ? random_one_block_of_two(m, k, kBlock, product.dtype, device, 1)
                                   : random_one_of_two(m, k, product.dtype, device, 1);
  if (product.function == Function::kLinear || is_integer(product)) {
    const auto rows = random_nonzero(n, k, product.dtype, device, 3);
    out.b = rows.t();
    out.memory = {out.a, rows};
  } else {
    out.b = random_nonzero(k, n, product.dtype, device, 3);
    out.memory = {out.a, out.b};
  }
  if (product.function == Function::kLinear) {
    const auto dtype = wanted_output(product).value_or(product.dtype);
    out.bias = random_nonzero(1, m, product.dtype, device, 4).view({m}).to(dtype);
  }
  return out;
}

std::optional<std::int64_t> algorithm_in(const Tuning& tuning, const std::string& version) {
  const auto searched_by = tuning.find(kVersion);
  const auto found = tuning.find(kAlgorithm);
  if (version.empty() || searched_by == tuning.end() || searched_by->second != version ||
      found == tuning.end()) {
    return std::nullopt;
  }
  const std::string& text = found->second;
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && out >= 0 ? std::optional(out) : std::nullopt;
}

std::function<at::Tensor()> product_by(Library library, const Product& product,
                                       const Operands& operands, Tuning& tuning) {
  switch (library) {
    case Library::kDense:
      return dense_product(product, operands);
    case Library::kCutlass:
      return cutlass_product(product, operands);
    case Library::kCusparselt:
      return cusparselt_product(product, operands, /*search=*/false, tuning);
    case Library::kCusparseltSearch:
      return cusparselt_product(product, operands, /*search=*/true, tuning);
    case Library::kCsr:
      return [a = operands.a.to_sparse_csr(), b = operands.b] { return at::mm(a, b); };
    case Library::kBsr:
      return
          [a = operands.a.to_sparse_bsr({kBlock, kBlock}), b = operands.b] { return at::mm(a, b); };
  }
  throw std::invalid_argument("no such library");
}

at::Tensor reference(const Product& product, const Operands& operands) {
  auto sums = at::mm(operands.a.to(at::kDouble), operands.b.to(at::kDouble));
  if (product.function == Function::kTensor) {
    return sums;
  }
  return sums.t().add(operands.bias->to(at::kDouble));
}

// Half of k products of unit variance, by whichever order the library adds them up; a float bias is
// added before the sum is rounded. Integers are exact: 20480 products of at most 64 stay far below
// 2^31. Sparse tensor cores take fp32 as TF32, which cuts both factors off after ten bits: the sum
// shrinks by 0.7 units of that, at most by two, and scatters by 0.22 times the square root of k, of
// which the 4e8 elements of the largest result reach six deviations.
Tolerance tolerance_of(const Product& product, Library library) {
  if (is_integer(product)) {
    return {0, 0};
  }
  const auto length = static_cast<double>(product.shape.k);
  if (product.dtype == at::kFloat && uses_sparse_tensor_cores(library)) {
    const double unit = std::ldexp(1, -10);
    return {1.5 * unit * std::sqrt(length), 2 * unit};
  }
  return dot_product_tolerance(product.dtype, length / 2);
}

}  // namespace perfgate::sparse
