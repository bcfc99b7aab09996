// The cases of language models on the CPU: right, checked against what they must be, and declared
// as they are on a GPU.

#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/workloads/language_models/language_model.h"
#include "perfgate/workloads/language_models/model_shape.h"
#include "trained_cases.h"

namespace perfgate::language_models {
namespace {

class LanguageModel : public fastrnns::OneThread {
 protected:
  const c10::InferenceMode no_autograd_;
};

TEST_F(LanguageModel, GivesTheScoresOfFloat64AndDrawsTheSameAgain) {
  for (const auto& item : generate(at::kCPU)) {
    EXPECT_EQ(fastrnns::wrong_elements(fastrnns::prepare(item)), 0) << item.key;
  }
}

// What ran had other weights than the reference finds.
TEST_F(LanguageModel, IsWrongWhereAWeightChangedBehindTheReference) {
  for (const auto& item : generate(at::kCPU)) {
    const Prepared prepared = fastrnns::prepare(item);
    for (const auto& [phase, part] : prepared.phases) {
      const auto actual = part.run_once();
      part.operands[2].neg_();  // what makes scores of activations
      const auto expected = part.reference();
      EXPECT_GT(compare(actual[0], expected[0], part.tolerances[0]).wrong_elements, 0) << item.key;
    }
  }
}

TEST(LanguageModels, AreTheBenchmarksOnAGpu) {
  const auto cases = generate(at::kCUDA);
  ASSERT_EQ(cases.size(), 3U);
  EXPECT_EQ(cases[0].key, "language_models/llama2_7b/bf16/eager");
  EXPECT_EQ(cases[1].key, "language_models/llama2_7b/int8/eager");
  EXPECT_EQ(cases[2].key, "language_models/mixtral_8x7b/int8/eager");
  for (const auto& item : cases) {
    EXPECT_EQ(item.phases.count(Phase::kPrefill), 1U);
    EXPECT_EQ(item.phases.count(Phase::kDecode), 1U);
  }
  EXPECT_EQ(cases[0].work(Phase::kDecode).traffic.bytes.count, 200 * 13'214'687'232.0);
  EXPECT_EQ(cases[0].work(Phase::kPrefill).traffic.bytes.count, 13'214'687'232.0);
}

}  // namespace
}  // namespace perfgate::language_models
