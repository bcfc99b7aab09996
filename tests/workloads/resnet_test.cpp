// The ResNets of fastrnns on the CPU: sizes are the published ones, and every way to train them
// agrees with float64.

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "perfgate/workloads/fastrnns/precision.h"
#include "perfgate/workloads/fastrnns/resnet.h"
#include "perfgate/workloads/fastrnns/resnet_network.h"
#include "perfgate/workloads/fastrnns/resnet_shape.h"
#include "perfgate/workloads/fastrnns/resnet_trace.h"
#include "perfgate/workloads/fastrnns/training.h"
#include "phase_cases.h"

namespace perfgate::fastrnns {
namespace {

class Resnet : public OneThread {};

// In bf16 the last normalisations have to be over more than a handful of pixels, or roundings grow
// too far.
ResnetRun small(Depth depth, Precision precision = Precision::kFp32) {
  const bool bf16 = precision == Precision::kBf16Autocast;
  return {bf16 ? resnet_shape(depth, 8, 128) : resnet_shape(depth, 2, 64), precision};
}

Prepared prepared_for(const ResnetRun& run) {
  return prepare(resnet_case(run, at::DeviceType::CPU));
}

std::int64_t numbers(const std::vector<at::Tensor>& tensors) {
  std::int64_t out = 0;
  for (const auto& tensor : tensors) {
    out += tensor.numel();
  }
  return out;
}

TEST_F(Resnet, HasAsManyParametersAsThePublishedOnes) {
  EXPECT_EQ(parameter_count(resnet_shape(Depth::k18, 1, 224)), 11'689'512);
  EXPECT_EQ(parameter_count(resnet_shape(Depth::k50, 1, 224)), 25'557'032);
  for (const Depth depth : {Depth::k18, Depth::k50}) {
    const ResnetShape shape = resnet_shape(depth, 1, 32);
    EXPECT_EQ(numbers(make_resnet(shape, at::kCPU).parameters()), parameter_count(shape));
  }
}

// Published: 1.81 and 4.09 billion multiply-adds for a picture of 224 x 224.
TEST_F(Resnet, ComputesAsMuchAsThePublishedOnes) {
  EXPECT_NEAR(products(resnet_shape(Depth::k18, 1, 224)).all, 1.81e9, 0.01e9);
  EXPECT_NEAR(products(resnet_shape(Depth::k50, 1, 224)).all, 4.09e9, 0.01e9);
}

TEST_F(Resnet, AgreesWithFloat64InEveryPrecisionAndLayout) {
  const c10::InferenceMode as_in_a_worker;
  for (const Precision precision : {Precision::kFp32, Precision::kTf32, Precision::kBf16Autocast}) {
    for (const bool channels_last : {false, true}) {
      ResnetRun run = small(Depth::k50, precision);
      run.channels_last = channels_last;
      EXPECT_EQ(wrong_elements(prepared_for(run)), 0) << resnet_case(run, at::DeviceType::CPU).key;
    }
  }
}

TEST_F(Resnet, TracedAgreesWithFloat64UnderEverySettingThatThisBuildHas) {
  const c10::InferenceMode as_in_a_worker;
  int agreed = 0;
  for (const auto& settings : all_settings()) {
    ResnetRun run = small(Depth::k18);
    run.traced = settings;
    if (!why_unavailable(settings, false).empty()) {
      EXPECT_THROW(prepared_for(run), Unsupported);
      continue;
    }
    EXPECT_EQ(wrong_elements(prepared_for(run)), 0) << text_of(settings);
    ++agreed;
  }
  EXPECT_GE(agreed, 4);  // no fuser by three executors, TensorExpr by one
}

TEST_F(Resnet, TracedGivesTheSameBitsAsEager) {
  const ResnetNetwork network = make_resnet(resnet_shape(Depth::k18, 2, 64), at::kCPU);
  const ScriptSettingsGuard plain({Fuser::kNone, Executor::kSimple});
  const auto script = traced(network);
  EXPECT_TRUE(script().equal(run_resnet(network)));
  EXPECT_TRUE(script().equal(run_resnet(network)));  // not only while it is being traced
}

// Tolerances are worth something: far below the gradients themselves, and one element that is off
// by the tensor's own size is found where it is.
TEST_F(Resnet, OneWrongGradientElementIsFound) {
  const c10::InferenceMode as_in_a_worker;
  for (const Precision precision : {Precision::kFp32, Precision::kBf16Autocast}) {
    const Prepared prepared = prepared_for(small(Depth::k18, precision));
    const PreparedPhase& backward = prepared.phase(Phase::kBackward);
    const auto gradients = backward.run_once();
    const auto expected = backward.reference();
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const at::Tensor broken = gradients[i].clone();
      const double rms = std::sqrt(expected[i].square().mean().item<double>());
      broken.view(-1)[0] += 4 * rms;
      const Accuracy found = compare(broken, expected[i], backward.tolerances[i]);
      EXPECT_EQ(found.wrong_elements, 1) << i;
      EXPECT_THAT(found.worst_index, testing::Each(0)) << i;
      EXPECT_GT(compare(at::zeros_like(broken), expected[i], backward.tolerances[i]).wrong_elements,
                broken.numel() / 10)
          << i;
    }
  }
}

TEST_F(Resnet, Bf16ConvolvesInBf16AndGivesGradientsInFp32) {
  const c10::InferenceMode as_in_a_worker;
  const Prepared prepared = prepared_for(small(Depth::k18, Precision::kBf16Autocast));
  EXPECT_EQ(prepared.phase(Phase::kForward).run_once()[0].scalar_type(), at::kBFloat16);
  for (const auto& gradient : prepared.phase(Phase::kBackward).run_once()) {
    EXPECT_EQ(gradient.scalar_type(), at::kFloat);
  }
}

TEST_F(Resnet, ChannelsLastIsHowGradientsLieToo) {
  const c10::InferenceMode as_in_a_worker;
  ResnetRun run = small(Depth::k18);
  run.channels_last = true;
  const auto gradients = prepared_for(run).phase(Phase::kBackward).run_once();
  EXPECT_TRUE(gradients[0].is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_FALSE(gradients[0].is_contiguous());
}

TEST_F(Resnet, GuardsLeaveLibTorchAsTheyFoundIt) {
  const auto settings = [] {
    return std::tuple(at::globalContext().allowTF32CuBLAS(),
                      at::autocast::is_autocast_enabled(at::kCPU),
                      at::autocast::get_autocast_dtype(at::kCPU));
  };
  const auto before = settings();
  {
    const PrecisionGuard precision(Precision::kTf32);
    const AutocastGuard autocast(at::kCPU);
    EXPECT_EQ(settings(), std::tuple(true, true, at::kBFloat16));
  }
  EXPECT_EQ(settings(), before);
}

TEST_F(Resnet, TheGpuTrainsResnet50AsPeopleDo) {
  std::set<std::string> by_default;
  for (const auto& item : resnet(at::DeviceType::CUDA)) {
    if (item.by_default) {
      by_default.insert(item.key);
    }
  }
  EXPECT_THAT(by_default, testing::ElementsAre(
                              "fastrnns/resnet18/fp32/32x3x224x224/compiled",
                              "fastrnns/resnet18/fp32/32x3x224x224/eager",
                              "fastrnns/resnet18/fp32/32x3x224x224/traced/te_profiling",
                              "fastrnns/resnet50/bf16_autocast/32x3x224x224/channels_last/eager",
                              "fastrnns/resnet50/bf16_autocast/32x3x224x224/eager",
                              "fastrnns/resnet50/fp32/32x3x224x224/channels_last/eager",
                              "fastrnns/resnet50/fp32/32x3x224x224/compiled",
                              "fastrnns/resnet50/fp32/32x3x224x224/eager",
                              "fastrnns/resnet50/fp32/32x3x224x224/traced/te_profiling",
                              "fastrnns/resnet50/tf32/32x3x224x224/eager"));
}

}  // namespace
}  // namespace perfgate::fastrnns
