// A gate binary of cases that misuse a GPU on purpose, for gpu_test.cpp to run as a user would.

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include "fixtures/backend.h"
#include "fixtures/perf_case.h"
#include "fixtures/perfgate_main.h"

namespace perfgate::selftest {
namespace {

using Deed = std::function<at::Tensor(at::TensorOptions)>;

Case case_that(const std::string& deed, const Deed& run) {
  Case item;
  item.key = "gpu/" + deed;
  item.traffic = {{1e6}, {1e6}, Bound::kMemory};
  item.executed = item.traffic;
  item.prepare = [run](const PrepareContext& context) {
    const auto options = at::TensorOptions(at::kFloat).device(context.device);
    return Prepared{
        [=] { return run(options); }, [] { return at::zeros({1024}, at::kDouble); }, {1e-6, 0}, {}};
  };
  return item;
}

std::vector<Case> cases(at::DeviceType /*device*/) {
  std::vector<Case> out;
  out.push_back(case_that("illegal_access", [](const at::TensorOptions& options) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that nothing has
    void* nowhere = reinterpret_cast<void*>(std::uintptr_t{256});
    return at::for_blob(nowhere, {1024})
        .target_device(options.device())
        .options(options)
        .make_tensor()
        .add(1);
  }));
  Case large = case_that(
      "too_large", [](const at::TensorOptions& options) { return at::zeros({1024}, options); });
  large.footprint = {1e15};
  out.push_back(std::move(large));
  out.push_back(case_that("allocates_too_much", [](const at::TensorOptions& options) {
    return at::empty({std::int64_t{1} << 48}, options);
  }));
  out.push_back(case_that("synchronises", [](const at::TensorOptions& options) {
    auto zeros = at::zeros({1024}, options);
    zeros.add_(zeros.sum().item<double>());  // waits for the GPU
    return zeros;
  }));
  out.push_back(case_that(
      "well", [](const at::TensorOptions& options) { return at::zeros({1024}, options); }));
  return out;
}

}  // namespace

class Gpu : public PerfCase {};
TEST_P(Gpu, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(misused, Gpu, testing::ValuesIn(declare(cases)), case_name);

}  // namespace perfgate::selftest

int main(int argc, char** argv) {
  return perfgate::perfgate_main(argc, argv, perfgate::make_backend);
}
