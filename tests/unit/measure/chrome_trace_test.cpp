#include "perfgate/measure/chrome_trace.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fixtures/kernels.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing_support::kernel;

Activity activity(const std::string& name, std::int64_t start_ns, std::int64_t end_ns) {
  Activity out;
  out.kernel = kernel(name, 0);
  out.start_ns = start_ns;
  out.end_ns = end_ns;
  return out;
}

// The events of kernels, in the order of the trace.
std::vector<json> events_of(const Executions& executions) {
  std::vector<json> out;
  const auto document = json::parse(chrome_trace("ops/mm", executions));
  for (const auto& event : document.at("traceEvents")) {
    if (event.at("ph") == "X") {
      out.push_back(event);
    }
  }
  return out;
}

TEST(ChromeTrace, HasTimesFromTheFirstActivityOfAPhase) {
  const auto events =
      events_of({{Phase::kWhole, {activity("b", 3'000, 4'500), activity("a", 1'000, 2'000)}}});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].at("name"), "a");
  EXPECT_EQ(events[0].at("ts"), 0.0);
  EXPECT_EQ(events[1].at("ts"), 2.0);
  EXPECT_EQ(events[1].at("dur"), 1.5);
  EXPECT_EQ(events[0].at("tid"), events[1].at("tid"));
  EXPECT_EQ(events[0].at("args").at("grid").at(0), 16384);
}

TEST(ChromeTrace, ShowsWhatAnOperatorCallsBelowIt) {
  Activity outer = activity("outer", 0, 100);
  Activity middle = activity("middle", 10, 50);
  outer.inner_ns = 40;
  middle.inner_ns = 40;
  const auto events = events_of(
      {{Phase::kWhole, {activity("inner", 10, 50), middle, outer, activity("next", 100, 130)}}});
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].at("name"), "outer");
  EXPECT_EQ(events[1].at("name"), "middle") << "called by outer, and as long as what it calls";
  EXPECT_EQ(events[2].at("name"), "inner");
  for (const auto& event : events) {
    EXPECT_EQ(event.at("tid"), events[0].at("tid"));
  }
}

// On one thread the shorter of two kernels would look as if the longer one had called it.
TEST(ChromeTrace, ShowsWhatRunsSideBySideOnThreadsOfItsOwn) {
  const auto events = events_of({{Phase::kWhole,
                                  {activity("long", 0, 100), activity("within", 10, 50),
                                   activity("across", 40, 120), activity("next", 120, 130)}}});
  ASSERT_EQ(events.size(), 4U);
  EXPECT_NE(events[1].at("tid"), events[0].at("tid"));
  EXPECT_NE(events[2].at("tid"), events[0].at("tid"));
  EXPECT_NE(events[2].at("tid"), events[1].at("tid"));
  EXPECT_EQ(events[3].at("tid"), events[0].at("tid"));
}

TEST(ChromeTrace, ShowsCallsWithoutAStartOneBehindAnother) {
  Activity first = activity("MKL SGEMM", 0, 2'000);
  Activity second = activity("oneDNN matmul", 0, 500);
  first.start_is_known = false;
  second.start_is_known = false;
  const Executions executions = {
      {Phase::kWhole, {activity("aten::mm", 7'000, 10'000), first, second}}};
  const auto events = events_of(executions);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].at("ts"), 0.0);  // the first whose start is known
  EXPECT_EQ(events[1].at("ts"), 0.0);
  EXPECT_EQ(events[2].at("ts"), 2.0);
  EXPECT_EQ(events[1].at("tid"), events[2].at("tid"));
  EXPECT_NE(events[1].at("tid"), events[0].at("tid"));
  EXPECT_NE(chrome_trace("ops/mm", executions).find("only their lengths are known"),
            std::string::npos);
}

TEST(ChromeTrace, HasNoNegativeLengthAndNoEventOfAPhaseThatRanNothing) {
  const auto events =
      events_of({{Phase::kForward, {}}, {Phase::kBackward, {activity("reset clock", 10, 5)}}});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].at("dur"), 0.0);
}

TEST(ChromeTrace, SaysWhatTheCompilerKnowsOfAKernel) {
  Activity known = activity("triton_mm", 0, 1);
  known.kernel.configuration = "XBLOCK 2";
  known.kernel.bytes_a_launch = 1000;
  const auto events = events_of({{Phase::kWhole, {known, activity("copy", 2, 3)}}});
  EXPECT_EQ(events[0].at("args").at("configuration"), "XBLOCK 2");
  EXPECT_EQ(events[0].at("args").at("expected_bytes"), 1000);
  EXPECT_FALSE(events[1].at("args").contains("configuration"));
  EXPECT_FALSE(events[1].at("args").contains("expected_bytes"));
}

TEST(ChromeTrace, MakesAPhaseAProcessWithItsName) {
  const auto document =
      json::parse(chrome_trace("lstm", {{Phase::kForward, {activity("a", 0, 1)}},
                                        {Phase::kBackward, {activity("b", 5, 6)}}}));
  std::map<std::string, int> processes;
  for (const auto& event : document.at("traceEvents")) {
    if (event.at("ph") == "M") {
      processes[event.at("args").at("name")] = event.at("pid");
    }
  }
  EXPECT_EQ(processes.size(), 2U);
  EXPECT_NE(processes.at("lstm/forward"), processes.at("lstm/backward"));
}

}  // namespace
}  // namespace perfgate
