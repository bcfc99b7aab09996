#include "perfgate/model/measurement_json.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fixtures/message_of.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;

template <class Read>
std::string refusal_of(const json& document, Read read) {
  return testing_support::message_of([&] { (void)read(JsonCursor(document, "file")); });
}

TEST(ProtocolJson, KeepsTheTypesOfSettingsApart) {
  const Protocol sent = {{kQueuedWhole, true}, {"samples", std::int64_t{30}}, {"flush", "read"}};
  const json document = to_json(sent);
  EXPECT_EQ(protocol_from_json(JsonCursor(document, "file")), sent);
}

TEST(ProtocolJson, RefusesWhatIsNoSetting) {
  EXPECT_THAT(refusal_of({{"pause", 0.5}}, protocol_from_json),
              HasSubstr("at \"/pause\": expected true, false, a whole number or a string"));
}

TEST(KernelsJson, BringsEveryFieldAcross) {
  KernelRecord kernel;
  kernel.name = "gemm";
  kernel.count = 2;
  kernel.busy_us = 7.5;
  kernel.grid = {2, 64, 1};
  kernel.block = {384, 1, 1};
  kernel.registers = 168;
  kernel.shared_bytes = 164308;
  kernel.local_bytes = 8;
  EXPECT_EQ(to_json(std::vector{kernel})[0].count("implementation"), 0U);
  kernel.implementation = "brg_matmul:avx512_core";
  const json document = to_json(std::vector{kernel});
  const auto got = kernels_from_json(JsonCursor(document, "file"));
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(to_json(got), document);
  EXPECT_EQ(got[0].grid, kernel.grid);
  EXPECT_EQ(got[0].shared_bytes, kernel.shared_bytes);
}

TEST(KernelsJson, RefusesExtentsThatAreNotThree) {
  json document = to_json(std::vector{KernelRecord{}});
  document[0]["grid"] = {1, 2};
  EXPECT_THAT(refusal_of(document, kernels_from_json),
              HasSubstr("at \"/0/grid\": expected three numbers"));
}

}  // namespace
}  // namespace perfgate
