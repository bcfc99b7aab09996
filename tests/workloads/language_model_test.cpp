// The cases of language models: right on the CPU, and on a GPU the benchmark's.

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/workloads/language_models/language_model.h"
#include "perfgate/workloads/language_models/model_shape.h"
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

TEST_F(LanguageModel, GivesTheScoresOfFloat64AndDrawsTheSameAgain) {
  const auto cases = eager_cases();
  EXPECT_EQ(cases.size(), 4U);
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

// One package serves the two executions that load it.
TEST(LanguageModels, NameThePackageOfTheirModel) {
  const auto cases = generate(at::kCUDA);
  EXPECT_EQ(find(cases, "language_models/mixtral_8x7b/int8/compiled").package->name,
            "language_models/mixtral_8x7b/int8");
  EXPECT_EQ(find(cases, "language_models/mixtral_8x7b/int8/compiled_graph").package->name,
            "language_models/mixtral_8x7b/int8");
  EXPECT_FALSE(find(cases, "language_models/mixtral_8x7b/int8/graph").package);
}

TEST(LanguageModels, AreTheBenchmarksOnAGpu) {
  const auto cases = generate(at::kCUDA);
  EXPECT_EQ(cases.size(), 12U);
  for (const auto& item : cases) {
    EXPECT_EQ(item.phases.count(Phase::kPrefill), 1U);
    EXPECT_EQ(item.work(Phase::kPrefill).traffic.tokens, 0) << "its time is to the first token";
  }
  const Case& graph = find(cases, "language_models/llama2_7b/bf16/graph");
  EXPECT_EQ(graph.work(Phase::kDecode).traffic.tokens, 16);
  EXPECT_EQ(graph.work(Phase::kDecode).traffic.bytes.count, 16 * 13'214'687'232.0);
  EXPECT_EQ(graph.work(Phase::kPrefill).traffic.bytes.count, 13'214'687'232.0);
  EXPECT_EQ(graph.work(Phase::kDecode).judged, Judged::kReplayAndHost);
  EXPECT_EQ(graph.work(Phase::kPrefill).judged, Judged::kDeviceAndHost);
  EXPECT_EQ(
      find(cases, "language_models/llama2_7b/int8/graph").work(Phase::kPrefill).traffic.bytes.count,
      6'610'393'600.0);
  EXPECT_EQ(find(cases, "language_models/mixtral_8x7b/int8/graph")
                .work(Phase::kPrefill)
                .traffic.bytes.count,
            6'443'112'960.0);
}

TEST(LanguageModels, HaveNoGraphOnACpu) {
  for (const auto& item : generate(at::kCPU)) {
    EXPECT_EQ(item.key.find("graph"), std::string::npos) << item.key;
  }
}

}  // namespace
}  // namespace perfgate::language_models
