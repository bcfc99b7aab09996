#include "perfgate/report/fitted.h"

#include <algorithm>

namespace perfgate {
namespace {

constexpr std::size_t kLabel = 16;          // the text beside a label begins within these
constexpr std::size_t kShortestLabel = 10;  // that fills its column, with one space behind it

// What a terminal shows of the text at `at`: how many bytes that are one column, or none.
struct Shown {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

Shown shown_at(std::string_view text, std::size_t at) {
  if (text[at] == '\033') {
    const auto end = text.find('m', at);
    return {end == text.npos ? text.size() - at : end - at + 1, 0};
  }
  const bool continues = (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  return {1, continues ? 0U : 1U};
}

// Where the line's text begins: behind its label, if it has one.
std::size_t indentation(std::string_view line) {
  const auto first = std::min(line.find_first_not_of(' '), line.size());
  if (first >= kShortestLabel) {  // what goes on already
    return first;
  }
  const auto space = std::min(line.find(' ', first), line.size());
  const auto text = std::min(line.find_first_not_of(' ', space), line.size());
  const bool has_label =
      first == 2 && text <= kLabel && (text > space + 1 || space > kShortestLabel);
  return has_label ? text : first + 4;
}

// The byte at which to break, or npos: the last space in these columns, behind `from`.
std::size_t break_of(std::string_view line, std::size_t from, std::size_t columns) {
  std::size_t out = line.npos;
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ' && column > from && (column <= columns || out == line.npos)) {
      out = at;
    }
    const Shown shown = shown_at(line, at);
    column += shown.columns;
    at += shown.bytes;
  }
  return column <= columns ? line.npos : out;
}

std::string fitted_line(std::string line, std::size_t columns) {
  std::string out;
  const std::size_t indent = indentation(line);
  if (line.find(" --") != line.npos) {
    return line;
  }
  for (std::size_t at = 0; (at = break_of(line, indent, columns)) != line.npos;) {
    const auto rest = line.find_first_not_of(' ', at);
    if (rest == line.npos) {
      break;
    }
    out += line.substr(0, line.find_last_not_of(' ', at) + 1) + "\n";
    line = std::string(indent, ' ') + line.substr(rest);
  }
  return out + line;
}

}  // namespace

std::string fitted(std::string_view text, std::size_t columns) {
  if (columns == 0) {
    return std::string(text);
  }
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out += fitted_line(std::string(text.substr(0, end)), columns) + (end == text.npos ? "" : "\n");
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return out;
}

std::string clipped_in_the_middle(const std::string& text, std::size_t width) {
  constexpr std::string_view kLeftOut = "..";
  if (text.size() <= width) {
    return text;
  }
  const std::size_t tail = (width - kLeftOut.size()) / 2;
  return text.substr(0, width - kLeftOut.size() - tail) + std::string(kLeftOut) +
         text.substr(text.size() - tail);
}

}  // namespace perfgate
