// The cases of language models: right on the CPU, and on a GPU the benchmark's.

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fixtures/other_model.h"
#include "perfgate/workloads/language_models/compiled_pass.h"
#include "perfgate/workloads/language_models/generation.h"
#include "perfgate/workloads/language_models/language_model.h"
#include "perfgate/workloads/language_models/model_shape.h"
#include "perfgate/workloads/language_models/rms_norm.h"
#include "perfgate/workloads/language_models/run.h"
#include "perfgate/workloads/language_models/session.h"
#include "perfgate/workloads/language_models/transformer.h"
#include "phase_cases.h"

namespace perfgate::language_models {
namespace {

const Case& find(const std::vector<Case>& cases, const std::string& key) {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& item) { return item.key == key; });
  if (found == cases.end()) {
    throw std::out_of_range("no case " + key);
  }
  return *found;
}

class LanguageModel : public OneThread {
 protected:
  const c10::InferenceMode no_autograd_;
};

// Compiled cases need packages; they are those of the runs that load them.
std::vector<Case> eager_cases() {
  std::vector<Case> out;
  for (auto& item : generate(at::kCPU)) {
    if (!item.package) {
      out.push_back(std::move(item));
    }
  }
  return out;
}

TEST_F(LanguageModel, GivesTheScoresOfFloat64AndDrawsWhatTheyAllow) {
  const auto cases = eager_cases();
  EXPECT_EQ(cases.size(), 5U);
  for (const auto& item : cases) {
    EXPECT_EQ(wrong_elements(prepare(item)), 0) << item.key;
  }
}

// What ran had other weights than the reference finds.
TEST_F(LanguageModel, IsWrongWhereAWeightChangedBehindTheReference) {
  for (const auto& item : eager_cases()) {
    const Prepared prepared = prepare(item);
    for (const auto& [phase, part] : prepared.phases) {
      const auto actual = part.run_once();
      part.operands[2].neg_();  // what makes scores of activations
      const auto expected = part.reference();
      EXPECT_GT(compare(actual[0], expected[0], part.tolerances[0]).wrong_elements, 0) << item.key;
    }
  }
}

// Of 32 layers in bf16, as the benchmark's models: what one of them does to the scores is less than
// what all of them round, so that each layer is compared beside its own roundings. `damage`: of a
// layer of the model that runs; the reference is of another one with the same weights.
Prepared deep_model(const ModelShape& of, const std::function<void(const Layer&)>& damage) {
  ModelShape shape = of;
  shape.layers = 32;
  const Run run{shape, {at::kBFloat16}, Execution::kEager, 16, 8};
  return prepare_generation(run, at::kCPU, [run, damage](const Transformer&) {
    return testing_support::pass_of_a_damaged_model(run, at::kCPU, 20, damage);
  });
}

using DeepModel = LanguageModel;

void expect_wrong(const Prepared& prepared) {
  for (const auto& [phase, part] : prepared.phases) {
    EXPECT_GT(wrong_elements(part), 0) << name_of(phase);
  }
}

TEST_F(DeepModel, IsRight) {
  for (const auto& shape : {tiny_llama(), tiny_mixtral()}) {
    EXPECT_EQ(wrong_elements(deep_model(shape, [](const Layer&) {})), 0) << shape.name;
  }
}

TEST_F(DeepModel, IsWrongWhereALayerTakesTheWorstExperts) {
  expect_wrong(deep_model(tiny_mixtral(), [](const Layer& layer) {
    std::get<Experts>(layer.feed_forward).score.neg_();
  }));
}

// What is noted of a pass is noted of each of its tokens.
TEST_F(DeepModel, IsWrongWhereALayerIsWrongForThePromptsFirstTokenAlone) {
  const Prepared prepared = deep_model(tiny_llama(), [](const Layer&) {});
  const auto& prefill = prepared.phase(Phase::kPrefill);
  const auto actual = prefill.run_once();
  constexpr std::int64_t kPrompt = 6;
  EXPECT_EQ(actual[2].size(0), 32 * kPrompt);
  actual[2][20 * kPrompt].mul_(0.5);
  EXPECT_GT(compare(actual[2], prefill.reference()[2], prefill.tolerances[2]).wrong_elements, 0);
}

TEST_F(DeepModel, IsWrongWithoutTheAttentionOfOneLayer) {
  expect_wrong(
      deep_model(tiny_llama(), [](const Layer& layer) { layer.attention.output.weight.zero_(); }));
}

TEST_F(DeepModel, IsWrongWithTheKeysOfOneLayerNegated) {
  expect_wrong(deep_model(tiny_llama(), [](const Layer& layer) {
    const auto rows = layer.attention.qkv.weight.size(0) / 3;
    layer.attention.qkv.weight.narrow(0, rows, rows).neg_();
  }));
}

TEST_F(DeepModel, IsWrongWithHalfOfOneFeedForwardNetwork) {
  expect_wrong(deep_model(tiny_llama(), [](const Layer& layer) {
    std::get<FeedForward>(layer.feed_forward).down.weight.mul_(0.5);
  }));
}

// Programs in the place of Inductor's, which pass on what the layers themselves make.
TEST_F(LanguageModel, PassesTokensThroughTheProgramsOfEachLayer) {
  const ModelShape shape = tiny_mixtral();
  const Transformer model(shape, {at::kFloat}, 16, at::kCPU);
  std::size_t next = 0;
  const CompiledOutputs layer = [&](const std::vector<at::Tensor>& inputs) {
    const Layer& here = model.layers()[next++ % model.layers().size()];
    EXPECT_TRUE(inputs[6].is_alias_of(here.attention.keys));
    EXPECT_TRUE(inputs[7].is_alias_of(here.attention.values));
    EXPECT_TRUE(inputs.back().is_alias_of(std::get<Experts>(here.feed_forward).all.down.weight));
    Routes routes;
    const Pass pass{inputs[1], inputs[2], inputs[3], &routes};
    return std::vector<at::Tensor>{here(shape, inputs[0], pass), at::zeros({1, shape.chosen})};
  };
  const CompiledOutputs head = [&](const std::vector<at::Tensor>& inputs) {
    return std::vector<at::Tensor>{
        model.output()(rms_norm(inputs[0], inputs[1], shape.norm_epsilon))};
  };
  const ModelPass pass = compiled_pass(
      model, {{"layer_of_token", layer}, {"layer_of_prompt", layer}, {"head", head}}, 6);
  const auto tokens = at::arange(6);
  for (const std::int64_t count : {6, 1}) {
    Routes routes;
    std::vector<at::Tensor> activations;
    const auto some = tokens.narrow(0, 0, count);
    const auto scores = pass(some, some, {&routes, &activations});
    const auto error = (scores - model.logits(some, some)[-1]).abs().max();
    EXPECT_LT(error.item<double>(), 1e-5) << count << " tokens; the head's products add otherwise";
    EXPECT_EQ(activations.size(), model.layers().size());
    EXPECT_EQ(joined_by_layer(activations, activations.size()).back().size(0), count);
  }
  const auto two = tokens.narrow(0, 0, 2);
  EXPECT_THROW(pass(two, two, {}), std::invalid_argument);
}

// One package serves the executions that load it.
TEST(LanguageModels, NameThePackageOfTheirModel) {
  const auto cases = generate(at::kCUDA);
  EXPECT_EQ(find(cases, "language_models/mixtral_8x7b/int8/compiled").package->name,
            "language_models/mixtral_8x7b/int8");
  EXPECT_EQ(find(cases, "language_models/mixtral_8x7b/int8/compiled_graph").package->name,
            "language_models/mixtral_8x7b/int8");
  EXPECT_EQ(
      find(cases, "language_models/mixtral_8x7b/int8/compiled_graph_split_head").package->name,
      "language_models/mixtral_8x7b/int8");
  EXPECT_FALSE(find(cases, "language_models/mixtral_8x7b/int8/graph").package);
}

TEST(LanguageModels, AreTheBenchmarksOnAGpu) {
  const auto cases = generate(at::kCUDA);
  EXPECT_EQ(cases.size(), 16U);
  for (const auto& item : cases) {
    const bool graph = item.key.find("graph") != std::string::npos;
    EXPECT_EQ(item.phases.count(Phase::kDecode), 1U);
    EXPECT_EQ(item.phases.count(Phase::kPrefill), graph ? 0U : 1U) << "no part of it is a graph";
  }
  const Work& eager = find(cases, "language_models/llama2_7b/bf16/eager").work(Phase::kDecode);
  EXPECT_EQ(eager.traffic.bytes.count, eager.traffic.tokens * 13'214'687'232.0);
  EXPECT_EQ(eager.judged, Judged::kDeviceAndHost);
  const Work& graph = find(cases, "language_models/llama2_7b/bf16/graph").work(Phase::kDecode);
  EXPECT_EQ(graph.traffic.bytes.count, graph.traffic.tokens * 13'214'687'232.0);
  EXPECT_EQ(graph.judged, Judged::kReplayAndHost);
}

// A fifth of one of 32 layers is 0.6 % of a token.
TEST(LanguageModels, AreJudgedOnAGpuByLessThanAFifthOfALayer) {
  for (const auto& item : generate(at::kCUDA)) {
    EXPECT_LT(item.work(Phase::kDecode).tolerance.value_or(1), 0.2 / 32) << item.key;
  }
}

// Its time is to the first token. Six tokens choose 6.6 of eight experts.
TEST(LanguageModels, ReadInPrefillWhatThePromptsTokensChoose) {
  const auto cases = generate(at::kCUDA);
  const Work& llama = find(cases, "language_models/llama2_7b/int8/eager").work(Phase::kPrefill);
  EXPECT_EQ(llama.traffic.tokens, 0);
  EXPECT_EQ(llama.traffic.bytes.count, 6'610'393'600.0);
  const Work& mixtral =
      find(cases, "language_models/mixtral_8x7b/int8/eager").work(Phase::kPrefill);
  EXPECT_NEAR(mixtral.traffic.bytes.count / 6'443'112'960.0, 3.0, 0.05);
}

TEST(LanguageModels, HaveNoGraphOnACpu) {
  for (const auto& item : generate(at::kCPU)) {
    EXPECT_EQ(item.key.find("graph"), std::string::npos) << item.key;
  }
}

}  // namespace
}  // namespace perfgate::language_models
