// Canaries in everything that a night is reported by.

#include "perfgate/report/canary_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "fixtures/outcomes.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/export.h"
#include "perfgate/report/merge.h"
#include "perfgate/report/results_json.h"
#include "perfgate/report/summary.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::judged;
using testing_support::run_of;
using testing_support::unjudged;

Canary injected(Verdict verdict, double percent, const std::string& key = "demo/a") {
  Canary out{judged(verdict, key), Injection{kTime, 0.023, 0.024}};
  for (auto& report : out.outcome.reports) {
    report.phases[Phase::kWhole].injected_percent = percent;
  }
  out.result = result_of(out.outcome, out.injection);
  return out;
}

Canary repeated(Verdict verdict, const std::string& key = "demo/b") {
  Canary out{judged(verdict, key), {}};
  out.result = result_of(out.outcome, out.injection);
  return out;
}

Run night_with(std::vector<Canary> canaries) {
  Run out = run_of({judged(Verdict::kPass)});
  out.canaries = std::move(canaries);
  out.exit_code = exit_code_of(out, {});
  return out;
}

TEST(CanaryText, IsOneLineWhereAllIsAsItShouldBe) {
  EXPECT_EQ(canary_lines({injected(Verdict::kRegressed, 2.5), repeated(Verdict::kPass),
                          repeated(Verdict::kPass, "demo/c")}),
            "  canaries  1 of 1 injected slowdown found, 2 of 2 repeats unchanged\n");
  EXPECT_EQ(canary_lines({}), "");
}

TEST(CanaryText, NamesWhatWasMissedWithWhatWasInjectedFoundAndTheMde) {
  EXPECT_EQ(canary_lines({injected(Verdict::kPass, 2.5)}),
            "  canaries  0 of 1 injected slowdown found\n"
            "  UNFIT     the gate is not to be believed tonight: it missed what was injected. "
            "demo/a: 2.5 % injected (1.1\n"
            "            times its MDE of 2.3 %), PASS, +0.1 % slower (p = 3e-09)\n");
}

TEST(CanaryText, NamesAnAlarmThoughNothingChanged) {
  const auto text = canary_lines({repeated(Verdict::kRegressed)});
  EXPECT_THAT(text, HasSubstr("UNFIT     the gate is not to be believed tonight: it does not "
                              "pass again what passed."));
  EXPECT_THAT(text, HasSubstr("demo/b: repeated"));
  EXPECT_THAT(text, HasSubstr("REGRESSED, +2.6 % slower (p = 3e-09)"));
}

TEST(CanaryText, SaysWhyACanarySaysNothing) {
  EXPECT_EQ(canary_lines({injected(Verdict::kPass, 1.5)}),
            "  canaries  0 of 1 injected slowdown found\n"
            "  void      demo/a: 1.5 % injected (0.65 times its MDE of 2.3 %), PASS, +0.1 % slower "
            "(p = 3e-09); 2.4 % would\n            have had to be found\n");
  Canary disturbed{unjudged(Verdict::kMachineInvalid, "others were there", "demo/b"),
                   Injection{kTime, 0.023, 0.024}};
  EXPECT_THAT(canary_lines({disturbed}),
              HasSubstr("  void      demo/b: 2.4 % to be injected, MACHINE_INVALID: others were "
                        "there\n"));
}

TEST(CanaryText, StandsInTheSummary) {
  EXPECT_THAT(summary_text(night_with({injected(Verdict::kPass, 2.5)}), "", false),
              HasSubstr("  UNFIT     the gate"));
  EXPECT_THAT(summary_text(night_with({}), "", false), Not(HasSubstr("canaries")));
}

TEST(CanaryText, IsReadBackFromResultsAsItWasWritten) {
  const perfgate::Run run =
      night_with({injected(Verdict::kPass, 2.5), repeated(Verdict::kRegressed)});
  const auto document = parse_strict(dump_readable(to_json(run)), "r.json");
  EXPECT_NEAR(document["canaries"][0]["injection"]["injected"].get<double>(), 0.025, 1e-12);
  const perfgate::Run back = run_from_json(JsonCursor(document, "r.json"));
  ASSERT_EQ(back.canaries.size(), 2U);
  EXPECT_EQ(canary_lines(back.canaries), canary_lines(run.canaries));
  EXPECT_EQ(back.canaries[1].outcome.device_id, run.info.session.device_id);
  EXPECT_EQ(to_json(back), to_json(run));
}

TEST(CanaryText, MergesTheCanariesOfAllProcesses) {
  auto early = night_with({injected(Verdict::kRegressed, 2.5)});
  auto late = night_with({injected(Verdict::kPass, 2.5, "demo/c")});
  late.info.started = "2026-11-21T08:04:00Z";
  const auto nights = merged({early, late}, {});
  ASSERT_EQ(nights.size(), 1U);
  EXPECT_EQ(nights[0].canaries.size(), 2U);
  EXPECT_EQ(nights[0].exit_code, ExitCode::kRefused);
  late.info.device.model = "NVIDIA H100";
  const perfgate::Run both = as_one(merged({early, late}, {}));
  EXPECT_EQ(both.canaries.size(), 2U);
  EXPECT_EQ(both.exit_code, ExitCode::kRefused);
}

TEST(CanaryText, RefusesANightThatWouldHavePassed) {
  EXPECT_EQ(night_with({injected(Verdict::kRegressed, 2.5), repeated(Verdict::kPass)}).exit_code,
            ExitCode::kOk);
  EXPECT_EQ(night_with({injected(Verdict::kPass, 2.5)}).exit_code, ExitCode::kRefused);
  EXPECT_EQ(night_with({repeated(Verdict::kSuspect)}).exit_code, ExitCode::kRefused);
  EXPECT_EQ(night_with({injected(Verdict::kPass, 1.5)}).exit_code, ExitCode::kOk);
  perfgate::Run regressed = run_of({judged(Verdict::kRegressed)});
  regressed.canaries = {injected(Verdict::kPass, 2.5)};
  EXPECT_EQ(exit_code_of(regressed, {}), ExitCode::kFail);
}

std::string exported(const std::string& name, const Run& run) {
  for (const auto& format : export_formats()) {
    if (format.name == name) {
      return format.text_of({run, nullptr, false});
    }
  }
  throw std::invalid_argument(name);
}

TEST(CanaryText, IsASuiteOfItsOwnInJunit) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(
      exported("junit", night_with({injected(Verdict::kPass, 2.5), injected(Verdict::kPass, 1.5),
                                    repeated(Verdict::kPass)}))
          .c_str()));
  const auto suite =
      document.child("testsuites").find_child_by_attribute("testsuite", "name", "canaries");
  EXPECT_EQ(suite.attribute("tests").as_int(), 3);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  EXPECT_THAT(suite.child("testcase").child("error").attribute("message").value(),
              HasSubstr("missed: demo/a: 2.5 % injected"));
  EXPECT_THAT(exported("junit", night_with({})), Not(HasSubstr("canaries")));
}

TEST(CanaryText, StandsAboveTheCasesInMarkdown) {
  const auto text = exported("markdown", night_with({injected(Verdict::kPass, 2.5)}));
  EXPECT_LT(text.find("UNFIT"), text.find("<details>"));
  EXPECT_THAT(text, HasSubstr("was not judged in full"));
}

}  // namespace
}  // namespace perfgate
