#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fixtures/exported.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing_support::exported;
using testing_support::judged;
using testing_support::run_of;
using testing_support::unjudged;

constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";

// What the page's script reads.
json data_of(const std::string& page) {
  const auto begin = page.find(kBegin) + kBegin.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(HtmlExport, IsOneFileThatAsksForNothingElse) {
  const std::string page = exported("html", run_of({judged()}));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, HasSubstr("uPlot"));
  EXPECT_THAT(page, Not(HasSubstr("/*DATA*/")));
  EXPECT_LT(page.size(), 400u << 10);
}

TEST(HtmlExport, HasOfACaseWhatATerminalSaysAndTheNumbersOfItsPlots) {
  const json data = data_of(exported("html", run_of({judged()})));
  ASSERT_EQ(data["cases"].size(), 1U);
  const auto& item = data["cases"][0];
  EXPECT_EQ(item["verdict"], "REGRESSED");
  EXPECT_EQ(item["exit"], 1);
  EXPECT_THAT(item["text"].get<std::string>(), HasSubstr("reproduce"));
  const auto& judgement = item["phases"][0]["judgement"];
  EXPECT_DOUBLE_EQ(judgement["change"], 0.026);
  EXPECT_DOUBLE_EQ(judgement["mde"], 0.023);
  EXPECT_EQ(judgement["now"], "81.0 us");
  EXPECT_EQ(judgement["processes"].size(), 5U);
}

TEST(HtmlExport, LetsNoTextEndItsScript) {
  auto run = run_of({unjudged(Verdict::kError, "</script><!--<b>")});
  const std::string page = exported("html", run);
  EXPECT_THAT(page, Not(HasSubstr("<!--<b>")));
  EXPECT_EQ(data_of(page)["cases"][0]["message"], "</script><!--<b>");
}

}  // namespace
}  // namespace perfgate
