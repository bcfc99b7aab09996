// Every workload at its smallest shape on the CPU: the numbers are right, a planted error is not,
// and the declared operations are those that LibTorch executes.

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "operation_counter.h"
#include "perfgate/core/case_key.h"
#include "perfgate/workloads/gpt_fast/gather_gemv.h"
#include "perfgate/workloads/gpt_fast/gemv.h"
#include "perfgate/workloads/gpt_fast/layer_norm.h"
#include "perfgate/workloads/gpt_fast/mlp_layer_norm_gelu.h"
#include "perfgate/workloads/ops/operators.h"

namespace perfgate {
namespace {

std::vector<Case> smallest_cases() {
  std::vector<Case> out;
  for (const auto& table :
       {gpt_fast::gemv, gpt_fast::gather_gemv, gpt_fast::layer_norm, gpt_fast::mlp_layer_norm_gelu,
        ops::mm, ops::sdpa, ops::layer_norm, ops::gemv, ops::copy}) {
    for (auto& item : table(at::DeviceType::CPU)) {
      const bool large = item.key.find("/D4096") != std::string::npos ||
                         item.key.find("/D8192") != std::string::npos ||
                         item.key.find("/D16384") != std::string::npos;
      if (!large && !item.package) {
        out.push_back(std::move(item));
      }
    }
  }
  return out;
}

class Workload : public testing::TestWithParam<Case> {
 protected:
  Prepared prepared() { return GetParam().prepare({at::kCPU, "/no/packages", "test"}); }
  c10::InferenceMode no_autograd_;
};

TEST_P(Workload, GivesTheReferencesNumbers) {
  const auto item = prepared();
  const auto accuracy = compare(item.run(), item.reference(), item.tolerance);
  EXPECT_EQ(accuracy.wrong_elements, 0)
      << "max absolute " << accuracy.max_absolute << ", max relative " << accuracy.max_relative;
}

TEST_P(Workload, WouldNoticeOneWrongElement) {
  const auto item = prepared();
  auto output = item.run().clone();
  auto flat = output.view({-1});
  const auto middle = flat.numel() / 2;
  flat[middle] = flat[middle].item<double>() + 1;  // one standard deviation of the inputs
  EXPECT_EQ(compare(output, item.reference(), item.tolerance).wrong_elements, 1);
}

TEST_P(Workload, KeepsItsInputsFromRunToRun) {
  const auto item = prepared();
  const auto first = item.run().clone();
  item.run();
  EXPECT_TRUE(item.run().equal(first));
}

TEST_P(Workload, DeclaresTheOperationsThatLibTorchExecutes) {
  const auto item = prepared();
  const testing_support::OperationCounter counter;
  item.run();
  if (counter.operations() == 0) {
    GTEST_SKIP() << "no matrix product in this workload: its operations are not counted";
  }
  EXPECT_DOUBLE_EQ(counter.operations(), GetParam().traffic.operations.count);
}

TEST_P(Workload, NamesContiguousOperandsThatFitItsFootprint) {
  double bytes = 0;
  for (const auto& tensor : prepared().operands) {
    EXPECT_TRUE(tensor.is_contiguous());
    bytes += static_cast<double>(tensor.nbytes());
  }
  EXPECT_GT(bytes, 0);
  EXPECT_LT(bytes, 1.2 * GetParam().footprint.count + 1e6);
}

INSTANTIATE_TEST_SUITE_P(Smallest, Workload, testing::ValuesIn(smallest_cases()),
                         [](const auto& item) { return test_name_of(item.param.key); });

TEST(GptFast, DeclaresTheSeedsBytesInClosedForm) {
  const auto bytes_of = [](const std::vector<Case>& cases, const std::string& key) {
    for (const auto& item : cases) {
      if (item.key == key) {
        return item.traffic.bytes.count;
      }
    }
    return 0.0;
  };
  const auto cpu = at::DeviceType::CPU;
  EXPECT_EQ(bytes_of(gpt_fast::gemv(cpu), "gpt_fast/gemv/int8/D4096/eager"), 4096.0 * 4096);
  EXPECT_EQ(bytes_of(gpt_fast::gemv(cpu), "gpt_fast/gemv/bf16/D4096/eager"), 2.0 * 4096 * 4096);
  EXPECT_EQ(bytes_of(gpt_fast::gather_gemv(cpu), "gpt_fast/gather_gemv/bf16/D1024/compiled"),
            2.0 * 1024 * 1024 * 2);
  EXPECT_EQ(bytes_of(gpt_fast::layer_norm(cpu), "gpt_fast/layer_norm/bf16/D1024/eager"),
            2.0 * 4096 * 1024 * 2);
}

TEST(GptFast, DeclaresAllFourWidthsAndTakesOnACpuWhatItCanRunInHalfASecond) {
  int declared = 0;
  int practical = 0;
  for (const auto& item : gpt_fast::gather_gemv(at::DeviceType::CPU)) {
    ++declared;
    practical += is_practical(item, at::DeviceType::CPU) ? 1 : 0;
    EXPECT_TRUE(is_practical(item, at::DeviceType::CUDA));
  }
  EXPECT_EQ(declared, 16);   // int8 and bf16, four widths, two implementations
  EXPECT_EQ(practical, 12);  // D = 16384 is 2 GiB and more
}

}  // namespace
}  // namespace perfgate
