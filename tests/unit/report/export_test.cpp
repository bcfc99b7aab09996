// What each tool gets of one night: a regression, a pass, and a case that could not run.
#include "perfgate/report/export.h"
#include "perfgate/report/exit_code.h"

#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "fixtures/exported.h"
#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_support::exported;
using testing_support::judged;
using testing_support::kKey;
using testing_support::lines_of;
using testing_support::run_of;
using testing_support::unjudged;

constexpr const char* kPassing = "ops/mm/bf16/N512/eager";
constexpr const char* kRefused = "ops/layer_norm/fp32w/D8192/eager";

Run night() {
  return run_of(
      {judged(), judged(Verdict::kPass, kPassing),
       unjudged(Verdict::kUnsupported, "expected \"BFloat16\" & found <Float>", kRefused)});
}

class JunitExport : public testing::Test {
 protected:
  void load(const perfgate::Run& run, bool baseline_required = false) {
    ASSERT_TRUE(document_.load_string(exported("junit", run, baseline_required).c_str()));
  }
  [[nodiscard]] pugi::xml_node testcase(const char* key) const {
    return document_.select_node((std::string("//testcase[@name='") + key + "']").c_str()).node();
  }
  pugi::xml_document document_;
};

TEST_F(JunitExport, CountsASuiteAFamily) {
  load(night());
  std::vector<std::string> counts;
  for (const auto suite : document_.child("testsuites")) {
    counts.push_back(std::string(suite.attribute("name").value()) + " " +
                     suite.attribute("tests").value() + " " + suite.attribute("failures").value() +
                     " " + suite.attribute("errors").value() + " " +
                     suite.attribute("skipped").value());
  }
  EXPECT_THAT(counts, ElementsAre("gpt_fast 1 1 0 0", "ops 2 0 0 1"));
}

TEST_F(JunitExport, TimesASuiteByTheProcessesOfItsOwnCases) {
  auto slow = judged(Verdict::kPass, "a/1");
  slow.reports.resize(2);
  slow.reports[0].costs_s = {{"prepare", 0.5}, {"measure", 1}};
  slow.reports[1].costs_s = {{"measure", 2}};
  auto quick = judged(Verdict::kPass, "b/1");
  quick.reports.resize(1);
  quick.reports[0].costs_s = {{"measure", 0.25}};
  const auto text = exported("junit", run_of({slow, quick}));
  EXPECT_THAT(text, ContainsRegex("testsuite name=\"a\"[^>]* time=\"3.500\""));
  EXPECT_THAT(text, ContainsRegex("testsuite name=\"b\"[^>]* time=\"0.250\""));
}

TEST_F(JunitExport, FailsWhereAllCasesAreSlowerTogether) {
  auto run = run_of({judged(Verdict::kPass)});
  run.global = {testing_support::global_change()};
  run.moved = "driver 580 -> 590";
  load(run);
  const auto failed = document_.select_node("//testcase[failure]").node();
  EXPECT_STREQ(failed.attribute("name").value(), "gpt_fast/all of cuda/memory/long time");
  EXPECT_THAT(failed.child("failure").attribute("message").value(), HasSubstr("GLOBAL gpt_fast"));
  EXPECT_STREQ(failed.child("failure").child_value(), "beside it: driver 580 -> 590");
  const auto suite = document_.select_node("//testsuite").node();
  EXPECT_STREQ(suite.attribute("failures").value(), "1");
  EXPECT_STREQ(suite.attribute("tests").value(), "2");
}

TEST_F(JunitExport, FailsWhatFailsTheGateWithTheSameText) {
  load(night());
  const auto failure = testcase(kKey).child("failure");
  EXPECT_STREQ(failure.attribute("message").value(), "REGRESSED +2.6 % slower");
  EXPECT_THAT(failure.text().get(), HasSubstr("was 78.9 us"));
  EXPECT_FALSE(testcase(kPassing).child("failure"));
}

TEST_F(JunitExport, NamesOtherKernelsOfACaseThatPassed) {
  auto recorded = testing_support::baseline();
  const std::string key = recorded.cases.begin()->first;
  recorded.cases.begin()->second.phases[Phase::kWhole].kernels = {{"flash_fwd", 1, 80}};
  auto run = run_of({judged(Verdict::kPass, key)});
  run.outcomes[0].reports[0].phases[Phase::kWhole].trace =
      std::vector<KernelRecord>{{"cudnn_fwd", 1, 79}};
  ASSERT_TRUE(document_.load_string(exported("junit", run, false, recorded).c_str()));
  const std::string kernels = testcase(key.c_str())
                                  .child("properties")
                                  .find_child_by_attribute("name", "other_kernels")
                                  .attribute("value")
                                  .value();
  EXPECT_THAT(kernels, HasSubstr("cudnn_fwd"));
  EXPECT_THAT(kernels, HasSubstr("gone, was 80.0 us"));
}

TEST_F(JunitExport, EscapesWhatXmlReserves) {
  load(night());
  EXPECT_STREQ(testcase(kRefused).child("skipped").attribute("message").value(),
               "UNSUPPORTED: expected \"BFloat16\" & found <Float>");
}

TEST_F(JunitExport, ErrsWhereACaseCrashedOrTheMachineWasUnfit) {
  load(run_of({unjudged(Verdict::kError, "signal 11", "a/1"),
               unjudged(Verdict::kMachineInvalid, "too hot", "a/2")}));
  EXPECT_TRUE(testcase("a/1").child("error"));
  EXPECT_TRUE(testcase("a/2").child("error"));
}

TEST_F(JunitExport, StaysXmlWhateverADyingWorkerSaid) {
  load(run_of({unjudged(Verdict::kError, "\x1b[31mboom\x1b[0m\x01", "a/1")}));  // or it throws
  EXPECT_STREQ(testcase("a/1").child("error").attribute("message").value(),
               "ERROR: ?[31mboom?[0m?");
}

TEST_F(JunitExport, PassesWhatARefreshRecorded) {
  auto run = run_of({judged(Verdict::kRegressed, "a/1")});
  run.outcomes[0].recorded = Recorded::kRevision;
  load(run);
  EXPECT_FALSE(testcase("a/1").first_child().next_sibling());  // its properties alone
}

TEST_F(JunitExport, SkipsAMissingBaselineUnlessOneIsRequired) {
  const auto run = run_of({unjudged(Verdict::kNoBaseline, "no baseline", "a/1")});
  load(run);
  EXPECT_TRUE(testcase("a/1").child("skipped"));
  load(run, true);
  EXPECT_TRUE(testcase("a/1").child("failure"));
}

TEST(ProfileExport, ListsKernelsByCategoryBesideTheTimeOfARun) {
  auto run = run_of({judged()});
  auto& report = run.outcomes[0].reports[0];
  report.metrics[kBusyTime] = {72.9, false, "cuda/memory/long"};
  report.phases[Phase::kWhole].trace = std::vector<KernelRecord>{
      {"triton_red_fused_mv_0", 1, 64.8, {16384, 1, 1}, {128, 1, 1}, 40, 512, 0},
      {"triton_red_fused_mv_1", 2, 8.1, {64, 1, 1}, {128, 1, 1}, 32, 0, 0},
      {"memset", 1, 0.81, {}, {}, 0, 0, 0}};
  const std::string text = exported("profile", run);
  EXPECT_THAT(text, HasSubstr("81.0 us a run, GPU busy for 90.0 %"));
  EXPECT_THAT(text, testing::ContainsRegex("triton_red_fused_mv_0 +reduction +1 +64.8 us +80.0 % +"
                                           "40 +0 +512  16384 of 128\n"));
  EXPECT_THAT(text, testing::ContainsRegex("all +reduction +3 +72.9 us +90.0 %"));
  EXPECT_THAT(text, testing::ContainsRegex("memset +memcpy/memset +1 +0.81 us +1.0 %\n"));
  EXPECT_THAT(text, HasSubstr(std::string("tabulate: ") + kKey +
                              ", 0.00%, 90.00%, 0.00%, 0.00%, 0.00%, 0.00%, 0.00%, 0.00%, 1.00%, "
                              "0.00%, 90.00%, 0.081ms\n"));
}

TEST(ProfileExport, SaysOfCompiledKernelsWhatTheyMoveAndHowTheyWereTuned) {
  auto run = run_of({judged()});
  KernelRecord gemv = {"triton_red_fused_mv_0", 2, 50, {16384, 1, 1}, {128, 1, 1}, 40, 512, 0};
  gemv.bytes_a_launch = 1e8;
  gemv.configuration = "XBLOCK 2, 4 warps, 1 stages";
  run.outcomes[0].reports[0].metrics[kBusyTime] = {50, false, "cuda/memory/long"};
  run.outcomes[0].reports[0].phases[Phase::kWhole].trace = std::vector<KernelRecord>{gemv};
  EXPECT_THAT(exported("profile", run),  // 200 MB in 50 us
              testing::ContainsRegex(" +4000 +40 +0 +512  16384 of 128  XBLOCK 2, 4 warps"));
}

// Whose trace takes time of its own.
TEST(ProfileExport, RelatesWhatACpuRanToItsOperators) {
  auto run = run_of({judged()});
  run.outcomes[0].reports[0].phases[Phase::kWhole].trace = std::vector<KernelRecord>{
      {"aten::mm", 1, 100, {}, {}, 0, 0, 0, "AVX512"}, {"MKL SGEMM", 1, 90}};
  const std::string text = exported("profile", run);
  EXPECT_THAT(text, HasSubstr("81.0 us a run, 100 us under the trace"));
  EXPECT_THAT(text, testing::ContainsRegex("aten::mm +operator +1 +100 us +100.0 %  AVX512\n"));
  EXPECT_THAT(text, testing::ContainsRegex("MKL SGEMM +library +1 +90.0 us +90.0 %\n"));
}

TEST(ProfileExport, RefusesResultsWithoutATrace) {
  EXPECT_THROW(exported("profile", night()), UsageError);
}

TEST(OpenMetricsExport, SaysUnitsAndEndsWithEof) {
  const auto lines = lines_of(exported("openmetrics", night()));
  EXPECT_EQ(lines[0], "# TYPE perfgate_build info");
  EXPECT_EQ(lines[2],
            "perfgate_build_info{libtorch=\"2.12.0\",commit=\"new\",driver=\"585.10.01\"} 1");
  EXPECT_EQ(lines[3], "# TYPE perfgate_time_seconds gauge");
  EXPECT_EQ(lines[4], "# UNIT perfgate_time_seconds seconds");
  EXPECT_EQ(lines[6],
            "perfgate_time_seconds{case=\"gpt_fast/gemv/int8/D16384/compiled\",model=\"NVIDIA "
            "H200\",device_id=\"GPU-b398e28c-1a2b\"} 8.1e-05");
  EXPECT_EQ(lines.back(), "# EOF");
}

TEST(OpenMetricsExport, NamesTheDeviceThatEachCaseRanOn) {
  auto run = run_of({judged(Verdict::kPass, "a/1"), judged(Verdict::kPass, "a/2")});
  run.outcomes[1].device_id = "GPU-2";
  const auto text = exported("openmetrics", run);
  EXPECT_THAT(text,
              HasSubstr("case=\"a/1\",model=\"NVIDIA H200\",device_id=\"GPU-b398e28c-1a2b\""));
  EXPECT_THAT(text, HasSubstr("case=\"a/2\",model=\"NVIDIA H200\",device_id=\"GPU-2\""));
}

TEST(OpenMetricsExport, HasExactlyOneStateOfACaseSet) {
  int states = 0;
  for (const auto& line : lines_of(exported("openmetrics", run_of({judged()})))) {
    if (line.rfind("perfgate_verdict{", 0) == 0) {
      states += line.back() == '1' ? 1 : 0;
    }
  }
  EXPECT_EQ(states, 1);
}

TEST(OpenMetricsExport, EscapesLabels) {
  auto run = run_of({judged()});
  run.info.device.model = "a \"b\" \\ c";
  EXPECT_THAT(exported("openmetrics", run), HasSubstr(R"(model="a \"b\" \\ c")"));
}

TEST(MarkdownExport, ShowsWhatFailedBeforeEverything) {
  const auto text = exported("markdown", night());
  EXPECT_THAT(text, HasSubstr("## perfgate: NVIDIA H200 FAILED"));
  EXPECT_LT(text.find("was 78.9 us"), text.find("<details>"));
  EXPECT_THAT(text, HasSubstr("| `ops/mm/bf16/N512/eager` |"));
}

TEST(MarkdownExport, KeepsItsCellsWhateverAMessageHolds) {
  const auto text =
      exported("markdown", run_of({unjudged(Verdict::kUnsupported, "a | b\nc", "a/1")}));
  EXPECT_THAT(text, HasSubstr("a \\| b c |\n"));
}

TEST(MarkdownExport, TellsAnUnfitMachineFromARegression) {
  const auto text =
      exported("markdown", run_of({unjudged(Verdict::kMachineInvalid, "too hot", "a/1")}));
  EXPECT_THAT(text, HasSubstr("was not judged"));
  EXPECT_THAT(text, Not(HasSubstr("FAILED")));
}

TEST(MarkdownExport, SaysWhatARefreshRecorded) {
  auto run = run_of({judged(Verdict::kRegressed), unjudged(Verdict::kError, "signal 11", "a/1")});
  run.outcomes[0].recorded = Recorded::kRevision;
  run.outcomes[1].recorded = Recorded::kRefused;
  run.exit_code = exit_code_of(run, {});
  const auto text = exported("markdown", run);
  EXPECT_THAT(text, HasSubstr("was recorded in part"));
  EXPECT_THAT(text, HasSubstr("1 recorded, 1 not"));
  EXPECT_THAT(text, HasSubstr("78.9 us ->    81.0 us"));
  EXPECT_THAT(text, HasSubstr("| new revision |"));
  EXPECT_THAT(text, Not(HasSubstr("REGRESSED")));
}

TEST(CtestMeasurements, NameMeasurementsAndUnits) {
  const auto text = ctest_measurements(night().outcomes);
  EXPECT_THAT(text, HasSubstr("CTEST_FULL_OUTPUT\n"));
  EXPECT_THAT(text, HasSubstr("<CTestMeasurement type=\"numeric/double\" "
                              "name=\"gpt_fast/gemv/int8/D16384/compiled time us\">81"
                              "</CTestMeasurement>\n"));
}

}  // namespace
}  // namespace perfgate
