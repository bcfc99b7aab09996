#include "perfgate/model/package_tuning.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fixtures/message_of.h"

namespace perfgate {
namespace {

using nlohmann::json;

const PackageTuning kTuning = {
    "2.11.0", "3.6.0", {{"head", {{"0123", "XBLOCK 2, 1 warps, 1 stages"}}}, {"layer", {}}}};

PackageTuning read(const json& document) {
  return package_tuning_from_json(JsonCursor(document, "file"));
}

TEST(PackageTuning, IsReadAsItWasWritten) { EXPECT_EQ(read(to_json(kTuning)), kTuning); }

TEST(PackageTuning, IsRefusedWithoutWhatItIsOf) {
  for (const char* member : {"libtorch", "triton", "programs"}) {
    json document = to_json(kTuning);
    document.erase(member);
    const std::string refusal = testing_support::message_of([&] { (void)read(document); });
    EXPECT_NE(refusal.find(member), std::string::npos) << refusal;
  }
  json document = to_json(kTuning);
  document["programs"] = json::object();
  EXPECT_THROW((void)read(document), UsageError);
  document = to_json(kTuning);
  document["more"] = 1;
  EXPECT_THROW((void)read(document), UsageError);
}

}  // namespace
}  // namespace perfgate
