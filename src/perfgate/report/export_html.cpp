// One file for a browser: its style, its script and its data inside, so that it can be mailed, kept
// as a build's artifact and opened without a network.

#include <nlohmann/json.hpp>
#include <string_view>

#include "perfgate/core/readable_json.h"
#include "perfgate/report/export.h"
#include "perfgate/report/page_data.h"
#include "perfgate_page.h"

namespace perfgate {
namespace {

// In a script element nothing ends the text but "</", and "<!--" begins a comment in it.
std::string inside_script(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) {
    text.replace(at, 1, "\\u003c");  // as JSON writes it; in JSON it stands in strings alone
  }
  return text;
}

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  text.replace(text.find(mark), mark.size(), by);
  return text;
}

}  // namespace

std::string html_text(const ExportInput& input) {
  const std::string style = std::string(kPageUplotCss) + std::string(kPageStyleCss);
  const std::string script = std::string(kPageUplotJs) + std::string(kPagePlotsJs) +
                             std::string(kPageCasesJs) + std::string(kPagePageJs);
  std::string out = replaced(std::string(kPageHtml), "/*STYLE*/", style);
  out = replaced(std::move(out), "/*SCRIPT*/", script);
  return replaced(std::move(out), "/*DATA*/", inside_script(dump_plain(page_data(input))));
}

}  // namespace perfgate
