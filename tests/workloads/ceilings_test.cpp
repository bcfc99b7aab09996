// Which ceilings a suite measures before its cases: the kernels themselves need a GPU.

#include "perfgate/workloads/ceilings/ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Case case_of(Bound bound) {
  Case out;
  out.key = "guest/case/eager";
  out.work().traffic.bound = bound;
  return out;
}

std::vector<std::string> named_by(const std::vector<Case>& cases,
                                  at::DeviceType device = at::kCUDA) {
  std::vector<std::string> out;
  for (const auto& item : ceilings::named_by(cases, device)) {
    out.push_back(item.key);
  }
  return out;
}

class CeilingsOfAGuest : public testing::Test {
 protected:
  void SetUp() override {
    if (ceilings::all(at::kCUDA).empty()) {
      GTEST_SKIP() << "built without CUDA";
    }
  }
};

TEST_F(CeilingsOfAGuest, AreThoseThatItsCasesRunInto) {
  EXPECT_THAT(named_by({case_of(Bound::kMemory)}), ElementsAre("ceilings/dram_read/1GiB"));
  EXPECT_THAT(named_by({case_of(Bound::kCompute), case_of(Bound::kMemory)}),
              ElementsAre("ceilings/dram_read/1GiB", "ceilings/tensor_core/bf16"));
}

TEST_F(CeilingsOfAGuest, AreThoseThatItsPhasesName) {
  Case item = case_of(Bound::kMemory);
  item.phases = {{Phase::kForward, {}}, {Phase::kBackward, {}}};
  item.work(Phase::kForward).utilisation_of = kTf32Ceiling;
  item.work(Phase::kBackward).utilisation_of = product_ceiling(at::kChar);
  EXPECT_THAT(named_by({item}),
              ElementsAre("ceilings/tensor_core/tf32", "ceilings/tensor_core/int8"));
}

TEST_F(CeilingsOfAGuest, AreNoneWhereNothingHasAUtilisation) {
  Case item = case_of(Bound::kMemory);
  item.work().utilisation_of = NoCeiling{};
  EXPECT_THAT(named_by({item}), IsEmpty());
  EXPECT_THAT(named_by({case_of(Bound::kMemory)}, at::kCPU), IsEmpty());
}

TEST_F(CeilingsOfAGuest, AreItsOwnWhereItTellsThem) {
  Case own = case_of(Bound::kMemory);
  own.ceiling = {kDramRead, [](Seconds) { return 1.0; }};
  EXPECT_THAT(named_by({own}), ElementsAre("guest/case/eager"));
}

TEST(CeilingsOfPerfgate, AreAllThatItGatesAndNoneTwice) {
  std::vector<std::string> telling;
  for (const auto& item : ceilings::all(at::kCUDA)) {
    if (item.ceiling) {
      telling.push_back(item.key);
    }
  }
  EXPECT_EQ(named_by(ceilings::all(at::kCUDA)), telling);
}

}  // namespace
}  // namespace perfgate
