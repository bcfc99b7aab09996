// Every workload at its smallest shape on the CPU: the numbers are right, an injected error is not,
// and the declared operations are those that LibTorch executes.

#include <ATen/ops/cat.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "operation_counter.h"
#include "peak_memory.h"
#include "perfgate/model/case_key.h"
#include "perfgate/workloads/attention/mha.h"
#include "perfgate/workloads/gpt_fast/gather_gemv.h"
#include "perfgate/workloads/gpt_fast/gemv.h"
#include "perfgate/workloads/gpt_fast/layer_norm.h"
#include "perfgate/workloads/gpt_fast/mlp_layer_norm_gelu.h"
#include "perfgate/workloads/ops/operators.h"
#include "perfgate/workloads/prepared.h"
#include "perfgate/workloads/sparse/products.h"

namespace perfgate {

// For GoogleTest, which finds it beside Case.
void PrintTo(const Case& item, std::ostream* out) { *out << item.key; }

namespace {

std::vector<Case> smallest_cases() {
  std::vector<Case> out;
  for (const auto& table : {gpt_fast::gemv, gpt_fast::gather_gemv, gpt_fast::layer_norm,
                            gpt_fast::mlp_layer_norm_gelu, ops::mm, ops::sdpa, ops::layer_norm,
                            ops::gemv, ops::copy, sparse::tensor, attention::mha}) {
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
  // Skips what LibTorch refuses on a CPU, where the case says that it may.
  void SetUp() override {
    prepared_ = GetParam().prepare({at::kCPU, "/no/packages", "test"});
    if (GetParam().may_refuse) {
      try {
        prepared_.phase().run()[0];
      } catch (const c10::Error& refusal) {
        // Nested input has no kernel for the composite; anything else must run on a CPU.
        const auto& key = GetParam().key;
        ASSERT_TRUE(key.ends_with("/nested/composite") || key.ends_with("/nested/math")) << key;
        GTEST_SKIP() << refusal.what_without_backtrace();
      }
    }
  }
  const PreparedPhase& prepared() { return prepared_.phase(); }
  // A copy; of a nested output its rows, one below the other.
  at::Tensor output() {
    const auto out = prepared_.phase().run()[0];
    return out.is_nested() ? at::cat(out.unbind()) : out.clone();
  }

 private:
  c10::InferenceMode no_autograd_;
  Prepared prepared_;
};

TEST_P(Workload, GivesTheReferencesNumbers) {
  const auto& item = prepared();
  const auto accuracy = compare(item.run()[0], item.reference()[0], item.tolerances[0]);
  EXPECT_EQ(accuracy.wrong_elements, 0)
      << "max absolute " << accuracy.max_absolute << ", max relative " << accuracy.max_relative;
}

TEST_P(Workload, WouldNoticeOneElementThatIsOffByTwiceTheTolerance) {
  const auto& tolerance = prepared().tolerances[0];
  auto wrong = output();
  auto flat = wrong.view({-1});
  const auto middle = flat.numel() / 2;
  const auto right = flat[middle].item<double>();
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(right);
  flat[middle] = right + (allowed > 0 ? 2 * allowed : 1);
  EXPECT_EQ(compare(wrong, prepared().reference()[0], tolerance).wrong_elements, 1);
}

TEST_P(Workload, KeepsItsInputsFromRunToRun) {
  const auto first = output();
  prepared().run();
  EXPECT_TRUE(output().equal(first));
}

TEST_P(Workload, DeclaresTheOperationsThatLibTorchExecutes) {
  const testing_support::OperationCounter counter;
  prepared().run();
  if (counter.operations() == 0) {
    GTEST_SKIP() << "no matrix product in this workload: its operations are not counted";
  }
  if (GetParam().key.find("/nested/") != std::string::npos) {
    // LibTorch pads the scores, what is declared counts true lengths: see attention_test.
    EXPECT_GT(counter.operations(), GetParam().work().traffic.operations.count);
    return;
  }
  EXPECT_DOUBLE_EQ(counter.operations(), GetParam().work().traffic.operations.count);
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

TEST_P(Workload, HoldsNoMoreThanItDeclares) {
  const testing_support::PeakMemory memory;
  const auto item = GetParam().prepare({at::kCPU, "/no/packages", "test"});
  Outputs kept = item.phase().run();
  kept.clear();  // as a worker runs it: the last output is freed first
  kept = item.phase().run();
  // A block of random numbers as it is drawn, and vectors: less than attention rounds up.
  const bool rounds_up = family_of(GetParam().key) == "attention";
  const double drawing = rounds_up ? 0 : (4 << 20) + (64 << 10);
  EXPECT_GT(memory.bytes(), 0);
  EXPECT_LE(memory.bytes(), GetParam().footprint.count + drawing);
}

INSTANTIATE_TEST_SUITE_P(Smallest, Workload, testing::ValuesIn(smallest_cases()),
                         [](const auto& item) { return test_name_of(item.param.key); });

TEST(GptFast, DeclaresTheSeedsBytesInClosedForm) {
  const auto bytes_of = [](const std::vector<Case>& cases, const std::string& key) {
    for (const auto& item : cases) {
      if (item.key == key) {
        return item.work().traffic.bytes.count;
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
