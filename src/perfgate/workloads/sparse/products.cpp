#include "perfgate/workloads/sparse/products.h"

#include "perfgate/workloads/prepared.h"
#include "perfgate/workloads/sparse/libraries.h"
#include "perfgate/workloads/sparse/shapes.h"

namespace perfgate::sparse {
namespace {

constexpr at::ScalarType kDtypes[] = {at::kHalf, at::kBFloat16, at::kChar, at::kFloat};

// A column-major product comes out of the sparse libraries where a linear layer gives rows.
bool is_contiguous(const Product& product, Library library) {
  const bool sparse_linear = product.function == Function::kLinear && library != Library::kDense;
  return !sparse_linear;
}

// Sparse tensor cores take fp32 as TF32; the rate of dense products counts, since what is left out
// is counted too.
Ceiling ceiling_of(const Product& product, Library library) {
  return product.dtype == at::kFloat && uses_sparse_tensor_cores(library)
             ? kTf32Ceiling
             : product_ceiling(product.dtype);
}

// How much longer than the usual rate of dense products, roughly: on a GPU fp32 has no tensor
// cores but the sparse ones, as TF32; and CSR and BSR take three times what they leave out.
double slowness(const Product& product, Library library) {
  if (library == Library::kCsr || library == Library::kBsr) {
    return 3;
  }
  if (product.device == at::DeviceType::CPU || product.dtype != at::kFloat) {
    return 1;
  }
  return uses_sparse_tensor_cores(library) ? 2 : 12;
}

// "sparse/tensor/bert/fp16/3072x1024", to which the library is added.
std::string stem_of(const std::string& function, const std::string& set, at::ScalarType dtype,
                    const std::string& shape) {
  return "sparse/" + function + "/" + set + "/" + short_name(dtype) + "/" + shape;
}

// Under what cuSPARSELt's kernels draw, an H200 grants one of two clocks, in one process of 23 the
// other one, mostly the lower, whatever was done before. Their cycles are judged beside.
Statistic statistic_of(Library library) {
  const bool is_cusparselt =
      library == Library::kCusparselt || library == Library::kCusparseltSearch;
  return is_cusparselt ? Statistic::kBest : Statistic::kMedian;
}

// A, and its mask or packed form, at most one and a half of A; what packing takes besides, 18 bytes
// a value at most (CUTLASS's meta words of fp32), which leaves cuSPARSELt room for buffers whose
// sizes it alone knows; B; the output, transposed and with its bias.
Bytes footprint_of(const Product& product, Library library, double out_size) {
  const auto m = static_cast<double>(product.shape.m);
  const auto k = static_cast<double>(product.shape.k);
  const auto n = static_cast<double>(product.shape.n);
  const double in = size_of(product.dtype);
  const double packing = library == Library::kDense ? 0 : 18;
  return {m * k * (2.5 * in + packing) + k * n * in + 3 * m * n * out_size};
}

Case product_case(const Product& product, const std::string& stem, Library library) {
  const auto m = static_cast<double>(product.shape.m);
  const auto k = static_cast<double>(product.shape.k);
  const auto n = static_cast<double>(product.shape.n);
  const double in = size_of(product.dtype);
  const double out_size = is_integer(product) ? size_of(at::kInt) : in;
  Case out;
  out.key = stem + "/" + name_of(library);
  out.shown.parameters = {{"m", product.shape.m},
                          {"k", product.shape.k},
                          {"n", product.shape.n},
                          {"dtype", short_name(product.dtype)},
                          {"backend", name_of(library)}};
  if (library != Library::kDense) {
    out.shown.compared_with = stem + "/" + name_of(Library::kDense);
  }
  out.work().traffic = {{(m * k + k * n) * in + m * n * out_size},
                        {2 * m * k * n},
                        Bound::kCompute,
                        is_integer(product)};
  out.work().executed = out.work().traffic;
  out.work().executed.operations.count *= slowness(product, library);
  out.footprint = footprint_of(product, library, out_size);
  out.work().utilisation_of = ceiling_of(product, library);
  out.contiguous = is_contiguous(product, library);
  out.work().statistic = statistic_of(library);
  out.may_refuse = library != Library::kDense || is_integer(product);
  out.prepare = [=](const PrepareContext& context) {
    const auto operands = make_operands(product, library, context.device);
    Tuning tuning = context.tuning;
    auto run = product_by(library, product, operands, tuning);
    Prepared prepared = PreparedPhase{std::move(run),
                                      [=] { return reference(product, operands); },
                                      {tolerance_of(product, library)},
                                      operands.memory};
    prepared.tuning = tuning;
    return prepared;
  };
  return out;
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
          out.back().shown.parameters["test_function"] = name_of(function);
          out.back().shown.parameters["mode"] = set.mode;
          out.back().shown.parameters["row"] = row;
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
  out.shown.compared_with.clear();  // the dense product's time is another case's
  out.work().judged = Judged::kHost;
  return {out};
}

}  // namespace perfgate::sparse
