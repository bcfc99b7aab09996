// The attention family's inputs, keys and settings; its numbers are in families_test.cpp.

#include <ATen/Context.h>
#include <ATen/ops/cat.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/attention/mha.h"
#include "perfgate/workloads/attention/sdp_backend.h"
#include "perfgate/workloads/attention/self_attention.h"
#include "perfgate/workloads/attention/shapes.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::attention {
namespace {

constexpr Shape kNested = {256, 32, 256, 512, at::kHalf, Input::kNested};

TEST(RowLengths, LieAroundATenthWithOneRowFull) {
  const auto lengths = row_lengths(kNested);
  ASSERT_EQ(lengths.size(), 256u);
  EXPECT_EQ(std::count(lengths.begin(), lengths.end(), 256), 1);
  const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0) - 256;
  EXPECT_NEAR(sum / 255, 25.1, 0.5);  // a tenth of 256, rounded down
  for (const auto length : lengths) {
    EXPECT_TRUE(length == 256 || (length >= 12 && length <= 39)) << length;  // five deviations
  }
}

TEST(RowLengths, AreTheSameEveryTime) { EXPECT_EQ(row_lengths(kNested), row_lengths(kNested)); }

TEST(RowLengths, AreAllFullOfADenseInput) {
  EXPECT_EQ(row_lengths({3, 1, 7, 8, at::kFloat, Input::kDense}),
            (std::vector<std::int64_t>{7, 7, 7}));
}

TEST(RowLengths, AreNeverNothing) {
  EXPECT_EQ(row_lengths({2, 1, 1, 8, at::kFloat, Input::kNested}),
            (std::vector<std::int64_t>{1, 1}));
}

TEST(AttentionKeys, AreReadBackAsTheyAreWritten) {
  for (const auto& item : mha(at::DeviceType::CUDA)) {
    const auto parsed = parse_key(item.key);
    ASSERT_TRUE(parsed.has_value()) << item.key;
    EXPECT_EQ(stem_of(parsed->first) + "/" + parsed->second, item.key);
    EXPECT_LE(item.key.size(), 50u) << item.key;  // the table's column
  }
}

TEST(AttentionKeys, ThatAreNoneAreNotRead) {
  for (const char* key : {"", "*", "attention/*", "attention/8x8x128x512/fp32",
                          "attention/8x8x128/fp32/nn_mha", "attention/08x8x128x512/fp32/nn_mha"}) {
    EXPECT_FALSE(parse_key(key).has_value()) << key;
  }
  EXPECT_FALSE(parse_key("attention/8x8x128x512/fp32/" + std::string(100'000, 'a')).has_value());
}

TEST(AttentionKeys, ThatCannotBeSayWhichRuleTheyBreak) {
  const std::map<std::string, std::string> rules = {
      {"attention/8x7x128x512/fp32/nn_mha", "multiple of the heads"},
      {"attention/0x8x128x512/fp32/nn_mha", "from 1 to 1048576"},
      {"attention/9999999x8x128x512/fp32/nn_mha", "from 1 to 1048576"},
      {"attention/8x8x128x512/int8/nn_mha", "fp16, bf16 or fp32"}};
  for (const auto& [key, rule] : rules) {
    try {
      parse_key(key);
      ADD_FAILURE() << key;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what();
    }
  }
}

TEST(CustomAttention, MakesTheSizesThatAUserNames) {
  const auto items = custom_mha("attention/2x4x16x64/fp32/composite", at::DeviceType::CPU);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].key, "attention/2x4x16x64/fp32/composite");
  EXPECT_EQ(items[0].shown.compared_with, "attention/2x4x16x64/fp32/nn_mha");
  const c10::InferenceMode no_autograd;
  const auto prepared = items[0].prepare({at::kCPU, {}, {}});
  EXPECT_EQ(prepared.phase().run()[0].sizes(), (std::vector<std::int64_t>{2, 16, 64}));
}

TEST(CustomAttention, MakesEveryImplementationOfAGlob) {
  EXPECT_EQ(custom_mha("attention/2x4x16x64/fp32/*", at::DeviceType::CPU).size(), 4u);
  EXPECT_EQ(custom_mha("attention/2x4x16x64/fp32/nn_mha*", at::DeviceType::CPU).size(), 2u);
  EXPECT_EQ(custom_mha("attention/2x4x16x64/fp32/[!n]*", at::DeviceType::CPU).size(), 2u);
}

TEST(CustomAttention, MakesNothingElse) {
  for (const char* key : {"ops/mm/fp32/N512/eager", "attention/*"}) {
    EXPECT_TRUE(custom_mha(key, at::DeviceType::CPU).empty()) << key;
  }
  for (const char* key :
       {"attention/2x4x16x64/fp32/composite_compiled", "attention/2x4x16x64/fp32/efficient",
        "attention/2x4x16x64/fp32/nobodys"}) {
    try {
      custom_mha(key, at::DeviceType::CPU);
      ADD_FAILURE() << key;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("nn_mha, nn_mha_fused, composite, math"),
                std::string::npos)
          << error.what();
    }
  }
}

// A copy in float64; of a nested output its rows, one below the other.
at::Tensor rows_of(const at::Tensor& output) {
  return (output.is_nested() ? at::cat(output.unbind()) : output).to(at::kDouble);
}

TEST(AttentionCases, GiveEachOthersNumbers) {
  struct Answer {
    std::string key;
    at::Tensor rows;
    Tolerance tolerance;
  };
  const c10::InferenceMode no_autograd;
  std::map<std::string, std::vector<Answer>> answers_of;
  for (const auto& item : mha(at::DeviceType::CPU)) {
    const auto slash = item.key.rfind('/');
    const auto way = item.key.substr(slash + 1);
    const bool nested = item.key.find("/nested/") != std::string::npos;
    const bool has_no_kernel = nested && (way == "composite" || way == "math");  // on a CPU
    if (!item.package && !has_no_kernel) {
      const auto prepared = item.prepare({at::kCPU, {}, {}}).phase();
      answers_of[item.key.substr(0, slash)].push_back(
          {item.key, rows_of(prepared.run()[0]), prepared.tolerances[0]});
    }
  }
  ASSERT_EQ(answers_of.size(), 4U);  // fp32 and bf16, dense and nested
  for (const auto& [stem, answers] : answers_of) {
    ASSERT_GE(answers.size(), 2U) << stem;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto& [one, other] = std::tie(answers[i], answers[j]);
        const Tolerance both = {one.tolerance.absolute + other.tolerance.absolute,
                                one.tolerance.relative + other.tolerance.relative};
        EXPECT_EQ(compare(one.rows, other.rows, both).wrong_elements, 0)
            << one.key << " and " << other.key;
      }
    }
  }
}

// On a CPU both ways of nested input are the same code, so neither says that the other is right.
// Allowed: less than a case of this shape may be off float64, 12 u sqrt(512) = 1.6e-5.
TEST(NestedInput, IsAttendedToRowByRow) {
  const c10::InferenceMode no_autograd;
  const Shape shape = {8, 8, 128, 512, at::kFloat, Input::kNested};
  const auto rows = make_rows(shape, at::kCPU);
  const auto weights = make_weights(shape, at::kCPU);
  const auto together = nn_mha(rows.x, weights, shape.heads, /*need_weights=*/true).unbind();
  const auto alone = rows.x.unbind();
  ASSERT_EQ(together.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const auto row = composite(alone[i].unsqueeze(0), weights, shape.heads).squeeze(0);
    const auto accuracy = compare(together[i], row.to(at::kDouble), {1e-5, 1e-6});
    EXPECT_EQ(accuracy.wrong_elements, 0) << i << ": " << accuracy.max_absolute;
    EXPECT_GT(compare(together[i], row.to(at::kDouble).add(2e-4), {1e-5, 1e-6}).wrong_elements, 0);
  }
}

TEST(AttentionCases, DeclareTheScoresThatACpuOrAnOddHeadKeeps) {
  const auto bytes_of = [](const std::string& key, at::DeviceType device) {
    return custom_mha(key, device).at(0).footprint.count;
  };
  const std::string fused = "attention/1x4x4096x64/fp32/nn_mha_fused";
  const std::string unfused = "attention/1x4x4096x64/fp32/nn_mha";
  EXPECT_EQ(bytes_of(fused, at::DeviceType::CPU), bytes_of(unfused, at::DeviceType::CPU));
  EXPECT_LT(bytes_of(fused, at::DeviceType::CUDA), bytes_of(unfused, at::DeviceType::CUDA) / 4);
  EXPECT_EQ(bytes_of("attention/1x4x4096x48/fp32/nn_mha_fused", at::DeviceType::CUDA),
            bytes_of("attention/1x4x4096x48/fp32/nn_mha", at::DeviceType::CUDA));
}

TEST(AttentionCases, MayRefuseWhereTheirKernelsMay) {
  for (const auto& item : mha(at::DeviceType::CUDA)) {
    const auto way = item.key.substr(item.key.rfind('/') + 1);
    const bool nested = item.key.find("/nested/") != std::string::npos;
    const bool by_fused_kernels =
        way == "composite" || way == "flash" || way == "efficient" || way == "cudnn";
    EXPECT_EQ(item.may_refuse, nested || by_fused_kernels) << item.key;
  }
}

TEST(AttentionCases, CountTheTrueLengthsOfNestedInput) {
  // Lengths 13 14 13 13 13 12 128 13: 219 rows, squares sum to 17569.
  // 8 rows E^2 + 4 squares E with E = 512: 459276288 + 35981312.
  for (const auto& item : mha(at::DeviceType::CPU)) {
    if (item.key == "attention/8x8x128x512/fp32/nested/nn_mha") {
      EXPECT_EQ(item.work().traffic.operations.count, 495257600);
      return;
    }
  }
  FAIL() << "no such case";
}

TEST(AttentionShapes, AreTheSevenOfPyTorchsBenchmark) {
  std::vector<std::string> stems;
  for (const auto& shape : shapes(at::DeviceType::CUDA)) {
    stems.push_back(stem_of(shape));
  }
  EXPECT_EQ(stems, (std::vector<std::string>{
                       "attention/128x8x512x512/fp16", "attention/256x32x256x512/bf16",
                       "attention/256x32x256x512/bf16/nested", "attention/256x32x256x512/fp16",
                       "attention/256x32x256x512/fp16/nested", "attention/256x32x256x512/fp32",
                       "attention/256x32x256x512/fp32/nested"}));
}

TEST(AttentionCases, AreTheSeedsSevenInEveryWay) {
  std::map<std::string, std::set<std::string>> ways_of;
  for (const auto& item : mha(at::DeviceType::CUDA)) {
    const auto slash = item.key.rfind('/');
    ways_of[item.key.substr(0, slash)].insert(item.key.substr(slash + 1));
  }
  const std::set<std::string> nested = {"nn_mha",    "nn_mha_fused", "composite", "flash",
                                        "efficient", "cudnn",        "math"};
  std::set<std::string> dense = nested;
  dense.insert({"nn_mha_compiled", "composite_compiled"});
  EXPECT_EQ(ways_of.size(), 7u);
  for (const auto& [shape, ways] : ways_of) {
    EXPECT_EQ(ways, shape.ends_with("/nested") ? nested : dense) << shape;
  }
}

TEST(SdpBackendGuard, LeavesExactlyTheKernelThatItNames) {
  auto& context = at::globalContext();
  struct Allowed {
    SdpBackend backend;
    bool flash, efficient, cudnn, math;
  };
  for (const auto& [backend, flash, efficient, cudnn, math] :
       {Allowed{SdpBackend::kFused, true, true, true, false},
        Allowed{SdpBackend::kFlash, true, false, false, false},
        Allowed{SdpBackend::kEfficient, false, true, false, false},
        Allowed{SdpBackend::kCudnn, false, false, true, false},
        Allowed{SdpBackend::kMath, false, false, false, true}}) {
    const bool cudnn_before = context.userEnabledCuDNNSDP();
    {
      const SdpBackendGuard only(backend);
      EXPECT_EQ(context.userEnabledFlashSDP(), flash);
      EXPECT_EQ(context.userEnabledMemEfficientSDP(), efficient);
      EXPECT_EQ(context.userEnabledCuDNNSDP(), cudnn);
      EXPECT_EQ(context.userEnabledMathSDP(), math);
    }
    EXPECT_EQ(context.userEnabledCuDNNSDP(), cudnn_before);
    EXPECT_TRUE(context.userEnabledFlashSDP() && context.userEnabledMathSDP());
  }
}

TEST(SdpBackendGuard, RestoresWhatWas) {
  auto& context = at::globalContext();
  context.setSDPUseMemEfficient(false);
  {
    const SdpBackendGuard only(SdpBackend::kMath);
    EXPECT_TRUE(context.userEnabledMathSDP());
    EXPECT_FALSE(context.userEnabledFlashSDP());
    EXPECT_FALSE(context.userEnabledCuDNNSDP());
    const SdpBackendGuard fused(SdpBackend::kFused);
    EXPECT_FALSE(context.userEnabledMathSDP());
    EXPECT_TRUE(context.userEnabledFlashSDP());
    EXPECT_TRUE(context.userEnabledMemEfficientSDP());
  }
  EXPECT_TRUE(context.userEnabledFlashSDP());
  EXPECT_TRUE(context.userEnabledMathSDP());
  EXPECT_FALSE(context.userEnabledMemEfficientSDP());
  context.setSDPUseMemEfficient(true);
}

}  // namespace
}  // namespace perfgate::attention
