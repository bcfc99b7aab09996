#include "perfgate/gate/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"

namespace perfgate {
namespace {

nlohmann::json sources() {
  nlohmann::json out;
  for (const char* number :
       {"false_alarms_a_night", "suspect_p_value", "detection_probability", "workers_a_session",
        "screening_share", "attempts", "undisturbed_workers", "known_device_sessions", "fit_cases",
        "max_prior_degrees", "busy_spread_ratio", "busy_least_spread", "net_tolerance", "tolerance",
        "blind_share", "unjudged_nights", "dram_alike"}) {
    out[number] = "a test";
  }
  return out;
}

nlohmann::json good() {
  return {{"schema_version", 3},
          {"false_alarms_a_night", 0.01},
          {"suspect_p_value", 0.001},
          {"detection_probability", 0.99},
          {"workers_a_session", 5},
          {"screening_share", 0.5},
          {"attempts", 3},
          {"undisturbed_workers", 3},
          {"known_device_sessions", 3},
          {"fit_cases", 8},
          {"max_prior_degrees", 20},
          {"dram_alike", 0.003},
          {"effects",
           {{"least_links", 3}, {"least_devices", 3}, {"outside", 0.025}, {"source", "a test"}}},
          {"machine",
           {{"cpu",
             {{"tolerance", 0.3},
              {"interference_limit", 0.1},
              {"within_process_spread", 0.1},
              {"largest_ratio", 2},
              {"own_spread_ratio", 1.5},
              {"largest_noise", 1.5},
              {"source", "a test"}}}}},
          {"host", {{"interference_limit", 0.1}, {"largest_ratio", 0.5}, {"source", "a test"}}},
          {"busy_spread_ratio", 3},
          {"busy_least_spread", 0.01},
          {"net_tolerance", 0.1},
          {"tolerance", {{"cpu", 0.05}}},
          {"spread",
           {{"cpu",
             {{"multiple", 3},
              {"least", 0.15},
              {"unknown", 1},
              {"sessions", 20},
              {"source", "a test"}}}}},
          {"mde_limit", {{"cpu", {{"known", 0.5}, {"unknown", 1}, {"source", "a test"}}}}},
          {"canaries", {{"missed_a_night", 0.01}, {"source", "a test"}}},
          {"paired",
           {{"first_pairs", 4},
            {"most_pairs", 16},
            {"tolerance", {{"cpu", 0.02}}},
            {"bisect",
             {{"confidence", 0.99},
              {"several", 0.05},
              {"first_most_pairs", 64},
              {"most_pairs", 1000},
              {"build_cost_pairs", 300},
              {"source", "a test"}}},
            {"source", "a test"}}},
          {"global", {{"least_cases", 5}, {"tolerance", {{"cpu", 0.02}}}, {"source", "a test"}}},
          {"creep",
           {{"false_alarms_a_night", 0.01},
            {"allowance", 1},
            {"clip", 3},
            {"least_nights", 2},
            {"newest_nights", 5},
            {"tolerance", {{"cpu", 0.01}}},
            {"source", "a test"}}},
          {"blind_share", 0.2},
          {"sources", sources()},
          {"unjudged_nights", 3},
          {"clock",
           {{"slope", 0.33},
            {"slope_sd", 0.4},
            {"jitter", 0.002},
            {"worker", {{"cv", 0.002}, {"degrees", 4}}},
            {"source", "a test"}}},
          {"classes",
           {{"cpu/memory/long",
             {{"session", {{"cv", 0.02}, {"degrees", 4}}},
              {"device", {{"cv", 0.05}, {"degrees", 2}}},
              {"source", "a test"}}}}}};
}

Policy parsed(const nlohmann::json& document) {
  return policy_from_json(JsonCursor(document, "policy.json"));
}

// The text of the error, or "accepted".
std::string refusal(const nlohmann::json& document) {
  try {
    parsed(document);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Policy, ReadsCoefficientsOfVariationAsVariances) {
  const auto policy = parsed(good());
  EXPECT_DOUBLE_EQ(policy.class_of("cpu/memory/long").session.variance, 4e-4);
  EXPECT_DOUBLE_EQ(policy.class_of("cpu/memory/long").device.degrees, 2);
  EXPECT_DOUBLE_EQ(policy.tolerance_of("cpu"), 0.05);
  EXPECT_DOUBLE_EQ(policy.clock.worker.variance, 4e-6);
  EXPECT_DOUBLE_EQ(policy.clock.jitter, 0.002);
}

TEST(Policy, ReadsWhatAClassAndAKindOfDeviceMayLeaveOut) {
  EXPECT_EQ(parsed(good()).class_of("cpu/memory/long").process_multiple, 0);
  EXPECT_TRUE(std::isinf(parsed(good()).paired.prior_degrees_of("cpu")));
  auto document = good();
  document["classes"]["cpu/memory/long"]["process_multiple"] = 4;
  document["paired"]["prior_degrees"] = {{"cpu", 1}};
  const auto policy = parsed(document);
  EXPECT_EQ(policy.class_of("cpu/memory/long").process_multiple, 4);
  EXPECT_EQ(policy.paired.prior_degrees_of("cpu"), 1);
  EXPECT_TRUE(std::isinf(policy.paired.prior_degrees_of("cuda")));
  document["paired"]["prior_degrees"]["cpu"] = 0;
  EXPECT_NE(refusal(document).find("/paired/prior_degrees/cpu"), std::string::npos);
}

TEST(Policy, RefusesProbabilitiesOutsideOfZeroToOne) {
  auto document = good();
  document["false_alarms_a_night"] = 1.5;
  EXPECT_NE(refusal(document).find("/false_alarms_a_night"), std::string::npos);
}

TEST(Policy, RefusesUnknownKeysAndVersions) {
  auto document = good();
  document["tolerence"] = 0.1;
  EXPECT_NE(refusal(document).find("/tolerence"), std::string::npos);
  document = good();
  document["schema_version"] = 1;
  EXPECT_NE(refusal(document).find("/schema_version"), std::string::npos);
}

TEST(Policy, RefusesLimitsOfAMachineThatMeanNothing) {
  auto document = good();
  document["machine"]["cpuu"] = document["machine"]["cpu"];
  EXPECT_NE(refusal(document).find("/machine/cpuu"), std::string::npos);
  document = good();
  document["machine"]["cpu"]["reech"] = 2;
  EXPECT_NE(refusal(document).find("/machine/cpu/reech"), std::string::npos);
  document = good();
  document["machine"]["cpu"].erase("source");
  EXPECT_NE(refusal(document).find("source"), std::string::npos);
  document = good();
  document["machine"]["cpu"]["largest_ratio"] = 0;
  EXPECT_NE(refusal(document).find("/machine/cpu/largest_ratio"), std::string::npos);
  document = good();
  document["machine"]["cpu"]["interference_limit"] = 0.3;
  EXPECT_NE(refusal(document).find("/machine/cpu/interference_limit"), std::string::npos);
  EXPECT_EQ(parsed(good()).machine_of("cuda").tolerance, MachinePolicy::kNever);
  EXPECT_DOUBLE_EQ(parsed(good()).machine_of("cpu").interference_limit, 0.1);
}

TEST(Policy, RefusesLimitsOfAHostThatMeanNothing) {
  for (const char* number : {"interference_limit", "largest_ratio"}) {
    auto document = good();
    document["host"][number] = 0;
    EXPECT_NE(refusal(document).find(std::string("/host/") + number), std::string::npos);
  }
  auto document = good();
  document["host"].erase("source");
  EXPECT_NE(refusal(document).find("source"), std::string::npos);
  EXPECT_DOUBLE_EQ(parsed(good()).host.interference_limit, 0.1);
  EXPECT_DOUBLE_EQ(parsed(good()).host.largest_ratio, 0.5);
}

TEST(Policy, RefusesLimitsThatWouldLetAnythingPass) {
  auto document = good();
  document["mde_limit"]["cpu"]["unknown"] = 1.01;
  EXPECT_NE(refusal(document).find("would miss a doubling"), std::string::npos);
  document = good();
  document["spread"]["cpu"]["multiple"] = 1;
  EXPECT_NE(refusal(document).find("/spread/cpu/multiple"), std::string::npos);
  document = good();
  document["blind_share"] = 1;
  EXPECT_NE(refusal(document).find("/blind_share"), std::string::npos);
}

TEST(Policy, ReadsWhatADeviceDoesToAClassWhereItSaysSo) {
  auto document = good();
  EXPECT_FALSE(parsed(document).class_of("cpu/memory/long").device_effect);
  auto& effect = document["classes"]["cpu/memory/long"]["device_effect"];
  effect = {{"degrees", 12}, {"second_look", 0.75}};
  const auto found = parsed(document).class_of("cpu/memory/long").device_effect;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->degrees, 12);
  EXPECT_EQ(found->second_look, 0.75);
  effect["second_look"] = 1;  // nothing would be left for the first
  EXPECT_NE(refusal(document).find("/second_look"), std::string::npos);
}

TEST(Policy, RefusesABisectionThatCouldAnswerByChance) {
  EXPECT_EQ(parsed(good()).paired.bisect.first_most_pairs, 64);
  auto document = good();
  document["paired"]["bisect"]["confidence"] = 0.5;
  EXPECT_THROW(parsed(document), UsageError);
  document = good();
  document["paired"]["bisect"]["first_most_pairs"] = 3;
  EXPECT_THROW(parsed(document), UsageError);
}

TEST(Policy, NamesTheClassOrKindThatItDoesNotKnow) {
  const auto policy = parsed(good());
  EXPECT_THROW((void)policy.class_of("cuda/memory/long"), UsageError);
  EXPECT_THROW((void)policy.tolerance_of("tpu"), UsageError);
  EXPECT_THROW((void)policy.spread_of("tpu"), UsageError);
  EXPECT_THROW((void)policy.mde_limit_of("tpu"), UsageError);
}

TEST(Policy, TheCheckedInFileIsReadable) {
  const std::string path = PERFGATE_SOURCE_DIR "/baselines/policy.json";
  const auto document = parse_strict(read_file(path), path);
  EXPECT_NO_THROW(policy_from_json(JsonCursor(document, path)));
}

TEST(Policy, TakesNoNumberWithoutItsSource) {
  auto document = good();
  document["sources"].erase("attempts");
  EXPECT_NE(refusal(document).find("attempts"), std::string::npos);
  document = good();
  document["sources"]["retries"] = "a test";
  EXPECT_NE(refusal(document).find("the source of no number"), std::string::npos);
}

TEST(Policy, TakesOnlyWhatCouldEverDecide) {
  auto document = good();
  document["attempts"] = 2;
  EXPECT_NE(refusal(document).find("an odd number"), std::string::npos);
  document = good();
  document["undisturbed_workers"] = 6;
  EXPECT_NE(refusal(document).find("more than a session has"), std::string::npos);
}

}  // namespace
}  // namespace perfgate
