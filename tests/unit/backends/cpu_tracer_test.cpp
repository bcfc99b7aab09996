#include "perfgate/backends/cpu_tracer.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/Version.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace perfgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> names_of(const std::vector<Activity>& activities) {
  std::vector<std::string> out;
  for (const auto& activity : activities) {
    out.push_back(activity.kernel.name);
  }
  return out;
}

at::Tensor twice(const at::Tensor& x) { return x + x; }
at::Tensor squared(const at::Tensor& x) { return x * x; }

class CpuTrace : public testing::Test {
 protected:
  std::vector<Activity> traced(const std::function<void()>& run) {
    const Tracing tracing(*tracer_);
    tracer_->collect();
    run();
    return tracer_->collect();
  }
  std::unique_ptr<KernelTracer> tracer_ = make_cpu_tracer();
};

TEST_F(CpuTrace, NamesOperatorsWithTheInstructionSetOfTheirKernels) {
  const auto x = at::ones({8, 8});
  const auto activities = traced([&x] { twice(x); });
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_EQ(activities[0].kernel.name, "aten::add");
  EXPECT_EQ(activities[0].kernel.implementation, at::get_cpu_capability());
}

TEST_F(CpuTrace, NamesWhatTheLibraryDispatched) {
  if (!at::globalContext().hasMKLDNN()) {
    GTEST_SKIP() << "this LibTorch has no oneDNN";
  }
  const auto images = at::ones({2, 3, 32, 32});
  const auto weights = at::ones({8, 3, 3, 3});
  EXPECT_THAT(names_of(traced([&] { at::conv2d(images, weights); })),
              Contains(StartsWith("oneDNN convolution ")));
}

// conv2d calls convolution, which calls what computes.
TEST_F(CpuTrace, CountsAnOperatorsTimeOnce) {
  const auto images = at::ones({4, 8, 64, 64});
  const auto weights = at::ones({8, 8, 3, 3});
  std::int64_t outer_ns = 0;
  std::int64_t all_ns = 0;
  for (const auto& activity : traced([&] { at::conv2d(images, weights); })) {
    const bool is_operator = activity.kernel.name.rfind("aten::", 0) == 0;
    all_ns += is_operator ? own_ns(activity) : 0;
    outer_ns += activity.kernel.name == "aten::conv2d" ? own_ns(activity) : 0;
  }
  EXPECT_GT(outer_ns, 0);
  EXPECT_LT(outer_ns, all_ns / 2);
}

TEST_F(CpuTrace, KnowsWhenAnOperatorRanAndWhatItCalled) {
  const auto images = at::ones({4, 8, 64, 64});
  const auto weights = at::ones({8, 8, 3, 3});
  const auto activities = traced([&] { at::conv2d(images, weights); });
  const auto outer = std::find_if(activities.begin(), activities.end(), [](const Activity& one) {
    return one.kernel.name == "aten::conv2d";
  });
  ASSERT_NE(outer, activities.end());
  EXPECT_GT(outer->inner_ns, 0);
  for (const auto& activity : activities) {
    if (activity.start_is_known) {
      EXPECT_GE(activity.start_ns, outer->start_ns) << activity.kernel.name;
      EXPECT_LE(activity.end_ns, outer->end_ns) << activity.kernel.name;
    } else {
      EXPECT_EQ(activity.kernel.name.rfind("aten::", 0), std::string::npos);
    }
  }
}

TEST_F(CpuTrace, GivesTheStandardOutputBackAndKeepsWhatItSawToItself) {
  const auto x = at::ones({4, 3, 32, 32});
  testing::internal::CaptureStdout();
  traced([&x] {
    at::conv2d(x, at::ones({8, 3, 3, 3}));
    std::puts("of the body");
  });
  at::conv2d(x, at::ones({8, 3, 3, 3}));
  std::puts("behind it");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "behind it\n");
}

TEST_F(CpuTrace, HasNothingOfWhatRanBeforeOrBehindIt) {
  const auto x = at::ones({8, 8});
  squared(x);
  EXPECT_THAT(names_of(traced([&x] { twice(x); })), Not(Contains(HasSubstr("mul"))));
  squared(x);
  EXPECT_THAT(names_of(traced([&x] { twice(x); })), Not(Contains(HasSubstr("mul"))));
}

}  // namespace
}  // namespace perfgate
