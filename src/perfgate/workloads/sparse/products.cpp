#include "perfgate/workloads/sparse/products.h"

#include <ATen/ops/_cslt_compress.h>
#include <ATen/ops/_cslt_sparse_mm.h>
#include <ATen/ops/_cslt_sparse_mm_search.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/_sparse_semi_structured_addmm.h>
#include <ATen/ops/_sparse_semi_structured_mm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

#include <cmath>

#include "perfgate/workloads/sparse/packing.h"
#include "perfgate/workloads/sparse/shapes.h"

namespace perfgate::sparse {
namespace {

constexpr std::int64_t kBlock = 16;  // of BSR
constexpr at::ScalarType kDtypes[] = {at::kHalf, at::kBFloat16, at::kChar, at::kFloat};

enum class Function { kTensor, kLinear };

std::string name_of(Function function) {
  return function == Function::kTensor ? "tensor" : "linear";
}

enum class Library { kDense, kCutlass, kCusparselt, kCusparseltSearch, kCsr, kBsr };

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

bool uses_sparse_tensor_cores(Library library) {
  return library == Library::kCutlass || library == Library::kCusparselt ||
         library == Library::kCusparseltSearch;
}

struct Product {
  Function function = Function::kTensor;
  Shape shape;
  at::ScalarType dtype = at::kHalf;
  at::DeviceType device = at::DeviceType::CUDA;
};

bool is_integer(const Product& product) { return product.dtype == at::kChar; }

std::optional<at::ScalarType> wanted_output(const Product& product) {
  return is_integer(product) ? std::optional(at::kInt) : std::nullopt;
}

struct Operands {
  at::Tensor a;                    ///< [m, k], sparse
  at::Tensor b;                    ///< [k, n]
  std::optional<at::Tensor> bias;  ///< [m]
  std::vector<at::Tensor> memory;  ///< the same as contiguous tensors
};

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

// `facts` receives the algorithm that cuSPARSELt's own search picks in this process.
std::function<at::Tensor()> cusparselt_product(const Product& product, const Operands& operands,
                                               bool search,
                                               std::map<std::string, std::string>& facts) {
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
    multiply_by(algorithm);  // what is refused is so at once, not once an algorithm
    algorithm = at::_cslt_sparse_mm_search(packed, b, fused, {}, output, false);
    facts["cusparselt_algorithm"] = std::to_string(algorithm);
  }
  const auto multiply = [=] { return multiply_by(algorithm); };
  if (product.function == Function::kTensor) {
    return multiply;
  }
  const auto added = is_integer(product) ? operands.bias : std::nullopt;
  return [=] { return with_bias(multiply().t(), added); };
}

std::function<at::Tensor()> product_by(Library library, const Product& product,
                                       const Operands& operands,
                                       std::map<std::string, std::string>& facts) {
  switch (library) {
    case Library::kDense:
      return dense_product(product, operands);
    case Library::kCutlass:
      return cutlass_product(product, operands);
    case Library::kCusparselt:
      return cusparselt_product(product, operands, /*search=*/false, facts);
    case Library::kCusparseltSearch:
      return cusparselt_product(product, operands, /*search=*/true, facts);
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
  return dot_product_tolerance(product.dtype, length);
}

// A column-major product comes out of the sparse libraries where a linear layer gives rows.
bool is_contiguous(const Product& product, Library library) {
  const bool sparse_linear = product.function == Function::kLinear && library != Library::kDense;
  return !sparse_linear;
}

// Sparse tensor cores take fp32 as TF32; the rate of dense products counts, since what is left out
// is counted too.
std::string ceiling_of(const Product& product, Library library) {
  return product.dtype == at::kFloat && uses_sparse_tensor_cores(library)
             ? kTf32Ceiling
             : product_ceiling(product.dtype);
}

// How much longer than the usual rate of dense products, roughly: on a GPU fp32 has no tensor
// cores, and CSR and BSR take three times what they leave out.
double slowness(const Product& product, Library library) {
  if (library == Library::kCsr || library == Library::kBsr) {
    return 3;
  }
  const bool on_cpu = product.device == at::DeviceType::CPU;
  return product.dtype == at::kFloat && !on_cpu ? 12 : 1;
}

// "sparse/tensor/bert/fp16/3072x1024", to which the library is added.
std::string stem_of(const std::string& function, const std::string& set, at::ScalarType dtype,
                    const std::string& shape) {
  return "sparse/" + function + "/" + set + "/" + short_name(dtype) + "/" + shape;
}

Case product_case(const Product& product, const std::string& stem, Library library) {
  const auto m = static_cast<double>(product.shape.m);
  const auto k = static_cast<double>(product.shape.k);
  const auto n = static_cast<double>(product.shape.n);
  const double in = size_of(product.dtype);
  const double out_size = is_integer(product) ? size_of(at::kInt) : in;
  Case out;
  out.key = stem + "/" + name_of(library);
  out.parameters = {{"m", product.shape.m},
                    {"k", product.shape.k},
                    {"n", product.shape.n},
                    {"dtype", short_name(product.dtype)},
                    {"backend", name_of(library)}};
  if (library != Library::kDense) {
    out.compared_with = stem + "/" + name_of(Library::kDense);
  }
  out.traffic = {{(m * k + k * n) * in + m * n * out_size}, {2 * m * k * n}, Bound::kCompute};
  out.executed = out.traffic;
  out.executed.operations.count *= slowness(product, library);
  // A and its packed form, at most one and a half of A; while either side is made its signs, sizes
  // and masks, at most 12 bytes a value; the output, transposed and with its bias.
  out.footprint = {m * k * (2.5 * in + 12) + k * n * (in + 12) + 3 * m * n * out_size};
  out.held_against = ceiling_of(product, library);
  out.contiguous = is_contiguous(product, library);
  out.may_refuse = library != Library::kDense || is_integer(product);
  out.prepare = [=](const PrepareContext& context) {
    const auto operands = make_operands(product, library, context.device);
    std::map<std::string, std::string> facts;
    auto run = product_by(library, product, operands, facts);
    return Prepared{std::move(run), [=] { return reference(product, operands); },
                    tolerance_of(product, library), operands.memory, facts};
  };
  return out;
}

std::vector<Library> libraries(at::DeviceType device) {
  if (device == at::DeviceType::CPU) {
    return {Library::kDense, Library::kCsr, Library::kBsr};
  }
  return {Library::kDense, Library::kCutlass, Library::kCusparselt, Library::kCusparseltSearch};
}

// Every shape in fp16 and the BERT shapes in every dtype are a night's; the rest is for --case.
bool is_nightly(const std::string& set, at::ScalarType dtype, at::DeviceType device) {
  return device == at::DeviceType::CPU || dtype == at::kHalf || set == "bert";
}

std::vector<Case> cases_of(Function function, at::DeviceType device) {
  const bool cpu = device == at::DeviceType::CPU;
  std::vector<Case> out;
  for (const auto& set : cpu ? cpu_shapes() : gpu_shapes()) {
    for (const auto dtype : kDtypes) {
      if (cpu && dtype != at::kFloat) {
        continue;
      }
      std::int64_t row = 0;
      for (const auto& [name, shape] : set.shapes) {
        const auto stem = stem_of(name_of(function), set.name, dtype, name);
        for (const auto library : libraries(device)) {
          out.push_back(product_case({function, shape, dtype, device}, stem, library));
          out.back().by_default = is_nightly(set.name, dtype, device);
          out.back().parameters["test_function"] = name_of(function);
          out.back().parameters["mode"] = set.mode;
          out.back().parameters["row"] = row;
        }
        ++row;
      }
    }
  }
  return out;
}

}  // namespace

std::vector<Case> tensor(at::DeviceType device) { return cases_of(Function::kTensor, device); }

std::vector<Case> linear(at::DeviceType device) {
  return device == at::DeviceType::CPU ? std::vector<Case>{} : cases_of(Function::kLinear, device);
}

std::vector<Case> host_time(at::DeviceType device) {
  if (device == at::DeviceType::CPU) {
    return {};
  }
  const auto bert = gpu_shapes().front();
  const auto& [name, shape] = bert.shapes.front();
  auto out = product_case({Function::kTensor, shape, at::kHalf, device},
                          stem_of("host_time", bert.name, at::kHalf, name), Library::kCusparselt);
  out.compared_with.clear();  // the dense product's time is another case's
  out.judged = Judged::kHostTime;
  return {out};
}

}  // namespace perfgate::sparse
