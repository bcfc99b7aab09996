// Every workload at its smallest shape on the CPU: the numbers are right, an injected error is not,
// and the declared operations are those that LibTorch executes.

#include <ATen/ops/cat.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <ostream>
#include <vector>

#include "operation_counter.h"
#include "peak_memory.h"
#include "perfgate/model/case_key.h"
#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/gpt_fast/gather_gemv.h"
#include "perfgate/workloads/gpt_fast/gemv.h"
#include "perfgate/workloads/gpt_fast/layer_norm.h"
#include "perfgate/workloads/gpt_fast/mlp_layer_norm_gelu.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {
namespace {

std::vector<Case> smallest_cases() {
  std::vector<Case> out;
  for (const auto& table : declared_tables()) {
    for (auto& item : table.cases(at::DeviceType::CPU)) {
      const bool large = item.key.find("/D4096") != std::string::npos ||
                         item.key.find("/D8192") != std::string::npos ||
                         item.key.find("/D16384") != std::string::npos;
      const bool script =
          item.shown.parameters.count("executor") > 0;  // see lstm_test, resnet_test
      if (!large && !item.package && !script) {
        out.push_back(std::move(item));
      }
    }
  }
  return out;
}

// One phase of a case, as its worker goes through it.
struct PhaseOfCase {
  Case item;
  Phase phase;
};
void PrintTo(const PhaseOfCase& param, std::ostream* out) {
  *out << key_of_phase(param.item.key, param.phase);
}

std::vector<PhaseOfCase> phases_of(const std::vector<Case>& cases) {
  std::vector<PhaseOfCase> out;
  for (const auto& item : cases) {
    for (const auto& [phase, work] : item.phases) {
      out.push_back({item, phase});
    }
  }
  return out;
}

class Workload : public testing::TestWithParam<PhaseOfCase> {
 protected:
  // Skips what LibTorch refuses on a CPU, where the case says that it may.
  void SetUp() override {
    prepared_ = item().prepare({at::kCPU, "/no/packages", "test"});
    if (item().may_refuse) {
      try {
        prepared().run_once();
      } catch (const c10::Error& refusal) {
        // Nested input has no kernel for the composite; anything else must run on a CPU.
        const auto& key = item().key;
        ASSERT_TRUE(key.ends_with("/nested/composite") || key.ends_with("/nested/math")) << key;
        GTEST_SKIP() << refusal.what_without_backtrace();
      }
    }
  }
  static const Case& item() { return GetParam().item; }
  static const Work& work() { return item().work(GetParam().phase); }
  const PreparedPhase& prepared() { return prepared_.phase(GetParam().phase); }
  // Copies; of a nested output its rows, one below the other.
  std::vector<at::Tensor> outputs() {
    std::vector<at::Tensor> out;
    for (const auto& output : prepared().run_once()) {
      out.push_back(output.is_nested() ? at::cat(output.unbind()) : output.clone());
    }
    return out;
  }

 private:
  c10::InferenceMode no_autograd_{!item().autograd};
  Prepared prepared_;
};

TEST_P(Workload, GivesTheReferencesNumbers) {
  const auto actual = prepared().run_once();
  const auto expected = prepared().reference();
  ASSERT_EQ(actual.size(), expected.size());
  ASSERT_EQ(actual.size(), prepared().tolerances.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto accuracy = compare(actual[i], expected[i], prepared().tolerances[i]);
    EXPECT_EQ(accuracy.wrong_elements, 0)
        << "output " << i + 1 << ": max absolute " << accuracy.max_absolute << ", max relative "
        << accuracy.max_relative;
  }
}

TEST_P(Workload, WouldNoticeOneElementThatIsOffByTwiceTheTolerance) {
  const auto actual = outputs();
  const auto expected = prepared().reference();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto& tolerance = prepared().tolerances[i];
    auto flat = actual[i].view({-1});
    const auto middle = flat.numel() / 2;
    const auto right = flat[middle].item<double>();
    const double rms = std::sqrt(expected[i].square().mean().item<double>());
    const double allowed =
        tolerance.absolute + tolerance.relative * std::abs(right) + tolerance.of_rms * rms;
    flat[middle] = right + (allowed > 0 ? 2 * allowed : 1);
    EXPECT_EQ(compare(actual[i], expected[i], tolerance).wrong_elements, 1) << "output " << i + 1;
  }
}

TEST_P(Workload, KeepsItsInputsFromRunToRun) {
  const auto first = outputs();
  prepared().run_once();
  const auto last = outputs();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(last[i].equal(first[i])) << "output " << i + 1;
  }
}

TEST_P(Workload, DeclaresTheOperationsThatLibTorchExecutes) {
  if (prepared().before_each) {
    prepared().before_each();
  }
  const testing_support::OperationCounter counter;
  prepared().run();
  if (counter.operations() == 0) {
    GTEST_SKIP() << "no matrix product in this workload: its operations are not counted";
  }
  if (item().key.find("/nested/") != std::string::npos) {
    // LibTorch pads the scores, what is declared counts true lengths: see attention_test.
    EXPECT_GT(counter.operations(), work().traffic.operations.count);
    return;
  }
  if (item().key.find("/vl_") != std::string::npos) {
    // Declared is the share that all lengths are of the longest, though the first step of each
    // sequence has less to do.
    EXPECT_NEAR(counter.operations() / work().traffic.operations.count, 1, 0.01);
    return;
  }
  EXPECT_DOUBLE_EQ(counter.operations(), work().traffic.operations.count);
}

TEST_P(Workload, NamesDenseOperandsThatFitItsFootprint) {
  double bytes = 0;
  for (const auto& tensor : prepared().operands) {
    EXPECT_TRUE(tensor.is_non_overlapping_and_dense());
    bytes += static_cast<double>(tensor.nbytes());
  }
  EXPECT_GT(bytes, 0);
  EXPECT_LT(bytes, 1.2 * item().footprint.count + 1e6);
}

TEST_P(Workload, HoldsNoMoreThanItDeclares) {
  const testing_support::PeakMemory memory;
  const auto prepared = item().prepare({at::kCPU, "/no/packages", "test"});
  std::map<Phase, Outputs> kept;  // as a worker runs it: the last outputs are freed first
  for (int i = 0; i < 2; ++i) {
    for (const auto& [phase, part] : prepared.phases) {
      kept[phase].clear();
      kept[phase] = part.run_once();
    }
  }
  // A block of random numbers as it is drawn, and vectors: less than attention rounds up.
  const bool rounds_up = family_of(item().key) == "attention";
  const double drawing = rounds_up ? 0 : (4 << 20) + (64 << 10);
  EXPECT_GT(memory.bytes(), 0);
  EXPECT_LE(memory.bytes(), item().footprint.count + drawing);
}

INSTANTIATE_TEST_SUITE_P(Smallest, Workload, testing::ValuesIn(phases_of(smallest_cases())),
                         [](const auto& parameter) {
                           return test_name_of(
                               key_of_phase(parameter.param.item.key, parameter.param.phase));
                         });

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
    practical += why_impractical(item, at::DeviceType::CPU) ? 0 : 1;
    EXPECT_FALSE(why_impractical(item, at::DeviceType::CUDA));
  }
  EXPECT_EQ(declared, 16);   // int8 and bf16, four widths, two implementations
  EXPECT_EQ(practical, 12);  // D = 16384 is 2 GiB and more
  EXPECT_EQ(perfgate::practical<gpt_fast::gather_gemv>(at::DeviceType::CPU).size(), 12U);
  EXPECT_EQ(perfgate::practical<gpt_fast::gather_gemv>(at::DeviceType::CUDA).size(), 16U);
}

}  // namespace
}  // namespace perfgate
