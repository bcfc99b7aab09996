// Language models on the CPU, tiny: against a reference in float64 that shares no code with them.

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/language_models/generation.h"
#include "perfgate/workloads/language_models/random_weights.h"
#include "perfgate/workloads/language_models/transformer.h"
#include "transformer_reference.h"

namespace perfgate::language_models {
namespace {

constexpr std::int64_t kPositions = 24;
constexpr Sampling kGreedy = {0, 1};

// Each layer's two products round sums of `width` terms in fp32, and later layers pass that on.
Tolerance tolerance_of(const ModelShape& shape) {
  const double products = 2 * static_cast<double>(shape.layers);
  const double rounding = unit_roundoff(at::kFloat) * std::sqrt(static_cast<double>(shape.width));
  return {0, 0, 6 * std::sqrt(products) * rounding};
}

void expect_right(const at::Tensor& actual, const at::Tensor& expected, const ModelShape& shape) {
  const Accuracy accuracy = compare(actual, expected, tolerance_of(shape));
  EXPECT_EQ(accuracy.wrong_elements, 0)
      << accuracy.worst_actual << " where " << accuracy.worst_expected << " is right, within "
      << accuracy.allowed_at_worst;
}

struct Variant {
  ModelShape shape;
  bool int8_weights;
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.shape.name << (variant.int8_weights ? "_int8" : "_fp32");
}

class TinyModel : public testing::TestWithParam<Variant> {
 protected:
  [[nodiscard]] const ModelShape& shape() const { return GetParam().shape; }
  // The prompt and so many tokens behind it.
  [[nodiscard]] at::Tensor generated(const Sampling& sampling, std::int64_t tokens) const {
    const ModelPass pass = eager_pass(model_);
    Cursor cursor(kPositions, shape().vocabulary, at::TensorOptions(at::kFloat));
    prefill(pass, prompt_, sampling, cursor);
    for (std::int64_t i = 1; i < tokens; ++i) {
      decode_step(pass, sampling, cursor);
    }
    const auto length = cursor.index.item<std::int64_t>() + 1;
    EXPECT_EQ(length, prompt_.size(0) + tokens);
    return cursor.text.narrow(0, 0, length);
  }

  const c10::InferenceMode no_autograd_;
  const Transformer model_{shape(), {at::kFloat, GetParam().int8_weights}, kPositions, at::kCPU};
  const at::Tensor prompt_ = at::tensor({1, 515, 892, 590, 24, 338}, at::kLong);
};

TEST_P(TinyModel, GivesTheScoresOfAReferenceThatSharesNoCode) {
  const auto actual = model_.logits(prompt_, at::arange(6));
  expect_right(actual, reference::logits(model_, prompt_), shape());
}

// With angles in fp32, which is part of the model, and not of the reference.
TEST_P(TinyModel, IsExactInFloat64ALayerAtATime) {
  const auto cache = model_.layers()[0].attention.keys.clone();
  expect_right(model_.exact_logits(prompt_).to(at::kFloat), reference::logits(model_, prompt_),
               shape());
  EXPECT_TRUE(model_.layers()[0].attention.keys.equal(cache));
}

TEST_P(TinyModel, PassesAPromptAtOnceAsTokenByToken) {
  const auto at_once = model_.logits(prompt_, at::arange(6));
  for (std::int64_t i = 0; i < prompt_.size(0); ++i) {
    const auto alone = model_.logits(prompt_.narrow(0, i, 1), at::arange(i, i + 1));
    expect_right(alone, at_once.narrow(0, i, 1).to(at::kDouble), shape());
  }
}

TEST_P(TinyModel, DecodesGreedilyWhatTheReferenceScoresHighest) {
  const auto tokens = generated(kGreedy, 11);
  EXPECT_TRUE(tokens.narrow(0, 0, 6).equal(prompt_));
  const auto best = reference::logits(model_, tokens).argmax(-1);
  EXPECT_TRUE(best.narrow(0, 5, 11).equal(tokens.narrow(0, 6, 11))) << tokens << best;
}

TEST_P(TinyModel, GeneratesTheSameFromTheSameState) {
  at::manual_seed(7);
  const auto first = generated({0.8, 20}, 12);
  at::manual_seed(7);
  EXPECT_TRUE(first.equal(generated({0.8, 20}, 12)));
  EXPECT_GT(std::get<0>(at::_unique(first)).size(0), 3) << "random weights draw among many";
}

TEST_P(TinyModel, HasOtherWeightsInEachLayer) {
  std::vector<at::Tensor> all;
  for (const auto& layer : model_.layers()) {
    all.push_back(layer.attention.qkv.weight.flatten().narrow(0, 0, 100));
    all.push_back(layer.attention.output.weight.flatten().narrow(0, 0, 100));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(all[i].equal(all[j])) << i << " and " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, TinyModel,
                         testing::Values(Variant{tiny_llama(), false}, Variant{tiny_llama(), true},
                                         Variant{tiny_mixtral(), false},
                                         Variant{tiny_mixtral(), true}),
                         testing::PrintToStringParamName());

TEST(ModelShape, ReadsTheBytesATokenThatTheBenchmarkCounts) {
  EXPECT_EQ(bytes_of_a_pass(llama2_7b(), {}, 1).count, 13'214'687'232);
  EXPECT_EQ(bytes_of_a_pass(llama2_7b(), {at::kBFloat16, true}, 1).count, 6'610'393'600);
  EXPECT_EQ(bytes_of_a_pass(mixtral_8x7b(), {at::kBFloat16, true}, 1).count, 6'443'112'960);
  EXPECT_EQ(bytes_of_a_pass(llama2_7b(), {}, 6).count, 13'214'687'232);
  EXPECT_NEAR(networks_of_a_pass(mixtral_8x7b(), 2), 3.5, 1e-12);  // 2, and of 2 three quarters new
}

// 6,738,415,616 parameters, as published.
TEST(ModelShape, CountsAllParametersOfLlama) {
  EXPECT_EQ(model_bytes(llama2_7b(), {}).count, 2 * 6'738'415'616.0);
  EXPECT_EQ(cache_bytes(llama2_7b(), {}, 208).count, 2.0 * 2 * 32 * 32 * 208 * 128);
}

TEST(Transformer, HoldsTheBytesThatItsShapeDeclares) {
  for (const bool int8 : {false, true}) {
    for (const auto& shape : {tiny_llama(), tiny_mixtral()}) {
      const Transformer model(shape, {at::kBFloat16, int8}, kPositions, at::kCPU);
      double bytes = 0;
      for (const auto& weight : model.weights()) {
        bytes += static_cast<double>(weight.nbytes());
      }
      double cache = 0;
      for (const auto& layer : model.layers()) {
        cache +=
            static_cast<double>(layer.attention.keys.nbytes() + layer.attention.values.nbytes());
      }
      EXPECT_EQ(bytes, model_bytes(shape, {at::kBFloat16, int8}).count) << shape.name << int8;
      EXPECT_EQ(cache, cache_bytes(shape, {at::kBFloat16, int8}, kPositions).count) << shape.name;
    }
  }
}

TEST(RandomWeights, KeepTheVarianceOfWhatTheyMultiply) {
  for (const bool int8 : {false, true}) {
    RandomWeights random({at::kFloat, int8}, at::kCPU);
    const Linear linear = random.linear({}, 500, 400, 0.5);
    const auto x = at::randn({200, 400});
    EXPECT_NEAR(linear(x).std().item<double>(), 0.5, 0.02);
  }
}

TEST(Experts, ReadsThoseAloneThatAreChosen) {
  const Transformer model(tiny_mixtral(), {at::kFloat}, kPositions, at::kCPU);
  const auto& experts = std::get<Experts>(model.layers()[1].feed_forward);
  const auto x = at::randn({1, tiny_mixtral().width});
  const auto choice = experts.choose(x);
  const auto which = reference::chosen_for(experts, x[0].to(at::kDouble));
  EXPECT_EQ(choice.experts[0][0].item<std::int64_t>(), which[0]);
  EXPECT_EQ(choice.experts[0][1].item<std::int64_t>(), which[1]);
  EXPECT_NEAR(choice.shares.sum().item<double>(), 1, 1e-6);
  const auto expected = experts(x);
  for (std::int64_t expert = 0; expert < tiny_mixtral().experts; ++expert) {
    if (expert != which[0] && expert != which[1]) {
      for (const auto& weight : {experts.all.gate.weight, experts.all.up.weight}) {
        weight[expert].fill_(std::numeric_limits<double>::quiet_NaN());
      }
    }
  }
  EXPECT_TRUE(experts(x).equal(expected));
}

// In bf16 a token may get other experts than in float64; along the same experts results agree.
TEST(Routes, AreFollowedInAPassOfAllTokens) {
  const c10::InferenceMode no_autograd;
  const ModelShape shape = tiny_mixtral();
  const Transformer model(shape, {at::kBFloat16}, kPositions, at::kCPU);
  const auto tokens = at::randint(shape.vocabulary, {kPositions}, at::kLong);
  Routes noted;
  std::vector<at::Tensor> by_steps;
  for (std::int64_t i = 0; i < kPositions; ++i) {
    by_steps.push_back(model.logits(tokens.narrow(0, i, 1), at::arange(i, i + 1), {&noted}));
  }
  Routes followed = noted.of_one_pass(static_cast<std::size_t>(shape.layers));
  const auto exact = model.exact_logits(tokens, &followed);
  const auto error = (at::cat(by_steps).to(at::kDouble) - exact).square().mean().sqrt();
  EXPECT_LT(error.item<double>(), 0.05 * exact.std().item<double>());

  // Along other experts they do not.
  Routes first_two;
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    first_two.take(at::tensor({0, 1}).repeat({kPositions, 1}));
  }
  Routes elsewhere = first_two.of_one_pass(static_cast<std::size_t>(shape.layers));
  const auto other = (model.exact_logits(tokens, &elsewhere) - exact).square().mean().sqrt();
  EXPECT_GT(other.item<double>(), 0.2 * exact.std().item<double>());
}

TEST(Sampling, DrawsTheBestTokensAloneAndByTheirProbabilities) {
  constexpr int kDraws = 4000;
  const auto logits = at::tensor({2.0, 0.5, 3.0, -1.0, 2.5}, at::kFloat);
  const auto probabilities = (at::tensor({2.0, 3.0, 2.5}) / 0.8).softmax(0);
  at::manual_seed(11);
  std::vector<int> seen(5);
  for (int i = 0; i < kDraws; ++i) {
    ++seen[static_cast<std::size_t>(sample(logits, {0.8, 3}).item<std::int64_t>())];
  }
  EXPECT_EQ(seen[1], 0);
  EXPECT_EQ(seen[3], 0);
  const int tokens[] = {0, 2, 4};
  for (int i = 0; i < 3; ++i) {  // five standard deviations
    const double p = probabilities[i].item<double>();
    EXPECT_NEAR(seen[static_cast<std::size_t>(tokens[i])], kDraws * p,
                5 * std::sqrt(kDraws * p * (1 - p)));
  }
  EXPECT_EQ(sample(logits, kGreedy).item<std::int64_t>(), 2);
}

TEST(Sampling, TellsWhatCouldNotHaveBeenDrawn) {
  const auto scores = at::tensor({2.0, 0.5, 3.0, -1.0, 2.5}, at::kDouble).repeat({4, 1});
  const Sampling three = {0.8, 3};
  const auto slack = at::tensor({0.0, 0.0, 0.0, 1.6}, at::kDouble);
  const auto drawn = at::tensor({2, 0, 1, 1}, at::kLong);
  EXPECT_TRUE(
      drawn_or_best(drawn, scores, three, slack).equal(at::tensor({2, 0, 2, 1}, at::kLong)));
}

}  // namespace
}  // namespace perfgate::language_models
