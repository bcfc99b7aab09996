// Results of somebody else, in whose texts stands whatever a format gives a meaning to: each export
// still parses, and no text leaves its place.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "fixtures/exported.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing_support::exported;
using testing_support::judged;
using testing_support::lines_of;
using testing_support::run_of;
using testing_support::unjudged;

std::string utf8(char32_t code) {
  if (code < 0x80) {
    return {static_cast<char>(code)};
  }
  if (code < 0x800) {
    return {static_cast<char>(0xc0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3f))};
  }
  return {static_cast<char>(0xe0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

std::vector<std::string> hostile_texts() {
  std::vector<std::string> out;
  for (char32_t code = 0; code < 0x100; ++code) {
    out.push_back(utf8(code));
    out.push_back(std::string(1, static_cast<char>(code)));  // from 0x80 on no UTF-8
  }
  for (const char32_t code :
       {0x61c,  0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e,
        0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xfdd0, 0xfdef, 0xfffe, 0xffff, 0xd800}) {
    out.push_back(utf8(code));
  }
  for (const char* text :
       {"\n::error::x", "\n##[error]x", "```\n# x", "\n\n</details><img src=x>", "]]>", "-->",
        "</script><script>x", "<![CDATA[", "&#10;::error::", "\"} 1\nperfgate_x{a=\"", "\\", "\\\"",
        "\\|", "`|`", "a,b\n\"c", "# EOF", "<!--"}) {
    out.push_back(text);
  }
  return out;
}

// A night with the text in the middle of every text, and at the beginning of some.
Run night_with(const std::string& text) {
  const std::string within = "a" + text + "b";
  auto slow = judged();
  auto& report = slow.reports[0];
  report.environment["x" + text] = within;
  report.parameters = {{"x" + text, within}};
  report.phases[Phase::kForward].samples["time_us"] = {1, 2};
  KernelRecord kernel = {text + within, 1, 10};
  kernel.implementation = within;
  kernel.configuration = within;
  report.phases[Phase::kWhole].trace = std::vector<KernelRecord>{kernel};
  report.why_unfit = within;
  slow.message = within;
  slow.source_diff = within;
  slow.not_judged[kHostTime] = within;
  auto failed = unjudged(Verdict::kError, text + within, "ops/a" + text + "/b");
  Run out = run_of({slow, failed, unjudged(Verdict::kUnsupported, within, "ops/c"),
                    judged(Verdict::kPass, "ops/d")});
  RunInfo& info = out.info;
  info.device.model = within;
  info.session.device_id = within;
  info.session.host = within;
  info.session.commit = within;
  info.session.libtorch = within;
  info.session.driver = within;
  info.session.compiler = within;
  info.session.cuda = within;
  info.session.settings["x" + text] = within;
  info.environment["x" + text] = within;
  info.command = {within, text};
  info.selection = within;
  info.started = within;
  for (auto& outcome : out.outcomes) {
    outcome.device_id = within;
  }
  out.moved = within;
  out.global = {testing_support::global_change()};
  out.global[0].variance_class = within;
  const NightBuild build = {within, within, within, within};
  out.creeps = {{testing_support::kKey, within, kTime, 0.1, 9, build, build, build, build}};
  Canary canary;
  canary.outcome = unjudged(Verdict::kError, within, "ops/d");
  canary.result = CanaryResult::kAlarm;
  out.canaries = {canary};
  return out;
}

Baseline recorded_with(const std::string& text) {
  Baseline out = testing_support::baseline();
  const std::string within = "a" + text + "b";
  auto& record = out.cases.begin()->second;
  record.revisions.back().reason = within;
  record.phases[Phase::kWhole].kernels = {{within, 1, 80}};
  auto& session = out.sessions.begin()->second;
  session.libtorch = within;
  session.settings["x" + text] = within;
  return out;
}

std::string text_of(const std::string& format, const std::string& text) {
  return exported(format, night_with(text), false, recorded_with(text));
}

// By other means than the code's own: no character that XML has not or that turns text, and bytes
// that a writer of JSON takes.
bool is_harmless(const std::string& text) {
  for (const char* one : {"\xef\xbf\xbe", "\xef\xbf\xbf", "\xe2\x80\xae", "\xe2\x80\xa8", "\x1b"}) {
    if (text.find(one) != std::string::npos) {
      return false;
    }
  }
  try {
    return !json(text).dump().empty();
  } catch (const json::exception&) {
    return false;
  }
}

// What a format is without anything hostile in it.
template <class Shape>
void expect_shape(const char* format, const Shape& shape_of) {
  const auto expected = shape_of(text_of(format, ""));
  for (const auto& text : hostile_texts()) {
    const std::string out = text_of(format, text);
    EXPECT_TRUE(is_plain(out) && is_harmless(out)) << format << " " << plain(text);
    EXPECT_EQ(shape_of(out), expected) << format << " " << plain(text) << "\n" << out;
    if (testing::Test::HasFailure()) {
      return;
    }
  }
}

std::size_t elements_of(const pugi::xml_node& node) {
  std::size_t out = 0;
  for (const auto child : node.children()) {
    out += 1 + elements_of(child);
  }
  return out;
}

TEST(Hostile, JunitIsXmlOfTheSameElements) {
  expect_shape("junit", [](const std::string& text) -> std::size_t {
    pugi::xml_document document;
    const auto result = document.load_string(text.c_str(), pugi::parse_full);
    EXPECT_TRUE(result) << result.description();
    for (const auto& line : lines_of(text)) {
      EXPECT_NE(line.substr(0, 2), "::");
    }
    return elements_of(document);
  });
}

TEST(Hostile, AnHtmlPageHasItsDataAsJsonAndNoOtherElements) {
  const auto count = [](const std::string& text, const std::string& what) {
    int out = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) {
      ++out;
    }
    return out;
  };
  constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";
  const std::string benign = text_of("html", "");
  for (const auto& text : hostile_texts()) {
    const std::string page = text_of("html", text);
    const auto begin = page.find(kBegin) + kBegin.size();
    const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
    EXPECT_TRUE(json::accept(data)) << plain(text);
    EXPECT_TRUE(is_plain(data) && is_harmless(data)) << plain(text);
    for (const char* element : {"<script", "</script", "<!--", "<img"}) {
      EXPECT_EQ(count(page, element), count(benign, element)) << element;
    }
  }
}

// name{label="value",...} number, by the grammar of OpenMetrics 1.0.
bool is_sample(const std::string& line) {
  std::size_t at = line.find('{');
  if (line.rfind("perfgate_", 0) != 0 || at == std::string::npos) {
    return false;
  }
  while (line[at] != '}') {
    const auto equals = line.find("=\"", ++at);
    if (equals == std::string::npos ||
        line.substr(at, equals - at).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") !=
            std::string::npos) {
      return false;
    }
    for (at = equals + 2; at < line.size() && line[at] != '"'; ++at) {
      const bool is_escape = line[at] == '\\';
      at += is_escape ? 1 : 0;
      if (is_escape && std::string("\\\"n").find(line[at]) == std::string::npos) {
        return false;
      }
    }
    ++at;
    if (at >= line.size() || (line[at] != ',' && line[at] != '}')) {
      return false;
    }
  }
  return line[at + 1] == ' ' &&
         line.find_first_not_of("0123456789.e+-", at + 2) == std::string::npos;
}

TEST(Hostile, OpenMetricsHasTheSameSamples) {
  expect_shape("openmetrics", [](const std::string& text) {
    const auto lines = lines_of(text);
    for (const auto& line : lines) {
      EXPECT_TRUE(line.rfind("# ", 0) == 0 || is_sample(line)) << line;
    }
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "# EOF"), 1);
    return lines.size();
  });
}

// A line without what stands in spans of code.
std::string without_code(const std::string& line) {
  std::string out;
  bool is_code = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (!is_code && line[at] == '\\') {  // in code it is a character as others are
      out += line.substr(at++, 2);
      continue;
    }
    is_code = line[at] == '`' ? !is_code : is_code;
    out += is_code ? '.' : line[at];
  }
  EXPECT_FALSE(is_code) << "a span that does not end: " << line;
  return out;
}

std::size_t unescaped(const std::string& line, char what) {
  std::size_t out = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\\') {
      ++at;
    } else {
      out += line[at] == what ? 1 : 0;
    }
  }
  return out;
}

TEST(Hostile, MarkdownHasTheSameLinesOutsideOfItsFencesAndNoHtml) {
  expect_shape("markdown", [](const std::string& text) {
    std::size_t outside = 0;
    std::size_t rows = 0;
    std::string fence;
    for (const auto& line : lines_of(text)) {
      const auto first = line.find_first_not_of(" \t");
      const auto begin = first == std::string::npos ? "" : line.substr(first, 3);
      EXPECT_TRUE(begin.substr(0, 2) != "::" && begin != "##[") << line;
      if (fence.empty() && line.rfind("```", 0) == 0) {
        fence = line;
        continue;
      }
      if (!fence.empty()) {
        fence = line == fence ? "" : fence;
        continue;
      }
      ++outside;
      const std::string shown = without_code(line);
      const bool ours = line == "</details>" || line.rfind("<details><summary>", 0) == 0;
      EXPECT_TRUE(ours || unescaped(shown, '<') == 0) << line;
      if (line.rfind('|', 0) == 0) {
        ++rows;
        EXPECT_EQ(unescaped(line, '|'), 8U) << line;
      }
    }
    EXPECT_EQ(fence, "");
    return std::pair(outside, rows);
  });
}

TEST(Hostile, AProfileHasTheSameLines) {
  expect_shape("profile", [](const std::string& text) { return lines_of(text).size(); });
}

TEST(Hostile, TextsOfAnyLengthLeaveRoomForTheRest) {
  const std::string endless(3 << 20, 'x');
  for (const char* format : {"junit", "markdown"}) {
    const auto text = exported(format, run_of({unjudged(Verdict::kError, endless, "ops/a"),
                                               unjudged(Verdict::kError, endless + "y", "ops/b")}));
    EXPECT_LE(text.size(), 65536U) << format;
    EXPECT_NE(text.find("bytes more)"), std::string::npos) << format;
    EXPECT_NE(text.find("ops/b"), std::string::npos) << format;
  }
}

}  // namespace
}  // namespace perfgate
