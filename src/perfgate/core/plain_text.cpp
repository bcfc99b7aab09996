#include "perfgate/core/plain_text.h"

#include <algorithm>

namespace perfgate {
namespace {

// How many bytes of a control character begin here; 0: it is none.
std::size_t control_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
    return 1;
  }
  const bool is_c1 = byte == 0xc2 && at + 1 < text.size() &&
                     static_cast<unsigned char>(text[at + 1]) >= 0x80 &&
                     static_cast<unsigned char>(text[at + 1]) < 0xa0;
  return is_c1 ? 2 : 0;
}

// The length of one of perfgate's own sequences here: a colour, or what erases a passing line.
std::size_t own_sequence_at(std::string_view text, std::size_t at) {
  for (const std::string_view own :
       {"\033[32m", "\033[36m", "\033[90m", "\033[33m", "\033[1;31m", "\033[0m", "\r\033[K"}) {
    if (text.substr(at, own.size()) == own) {
      return own.size();
    }
  }
  return 0;
}

// "::error::" and "##[error]" are commands of GitHub's and Azure's logs, also behind spaces.
bool is_command(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return false;
  }
  line.remove_prefix(begin);
  return line.substr(0, 2) == "::" || line.substr(0, 3) == "##[";
}

}  // namespace

bool is_plain(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (control_at(text, at) > 0) {
      return false;
    }
  }
  return true;
}

std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t control = control_at(text, at);
    out += control > 0 ? '?' : text[at];
    at += std::max<std::size_t>(control, 1);
  }
  return out;
}

std::string for_terminal(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (std::size_t at = 0; at < text.size();) {
    if (line_begins && is_command(text.substr(at, text.find('\n', at) - at))) {
      out += "| ";
    }
    line_begins = text[at] == '\n';
    const std::size_t own = own_sequence_at(text, at);
    const std::size_t control = own > 0 ? 0 : control_at(text, at);
    if (own > 0) {
      out += text.substr(at, own);
    } else {
      out += control > 0 ? '?' : text[at];
    }
    at += std::max<std::size_t>({own, control, 1});
  }
  return out;
}

std::string for_markdown(std::string_view text) {
  constexpr std::string_view kMeansSomething = "\\`*_{}[]()<>#+!|&~";
  std::string out;
  for (const char c : plain(text)) {
    if (c == '\n' || c == '\t') {
      out += ' ';
      continue;
    }
    if (kMeansSomething.find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string markdown_block(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence + "\n" + plain(text);
  if (out.back() != '\n') {
    out += '\n';
  }
  return out + fence + "\n";
}

}  // namespace perfgate
