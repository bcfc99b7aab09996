#include "perfgate/core/plain_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace perfgate {
namespace {

// What stands somewhere in a text.
struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool is_utf8 = false;  // or one byte that is none of it
};

// By RFC 3629: no surrogates, nothing beyond U+10FFFF, and nothing in more bytes than it takes.
Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) {
    return {1, first, true};
  }
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + bytes > text.size()) {
    return {};
  }
  char32_t code = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xc0) != 0x80) {
      return {};
    }
    code = (code << 6) | (next & 0x3f);
  }
  const bool is_too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return is_too_long || is_surrogate || code > 0x10ffff ? Character{}
                                                        : Character{bytes, code, true};
}

constexpr bool is_within(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

// Controls; what turns the direction of what stands behind it; ends of lines that only some take
// for one; the mark of byte orders; and what Unicode says is no character, which XML refuses.
bool is_shown(const Character& character) {
  const char32_t code = character.code;
  if (!character.is_utf8 || code < 0x20) {
    return character.is_utf8 && (code == '\n' || code == '\t');
  }
  if (code < 0x7f) {
    return true;
  }
  return !is_within(code, 0x7f, 0x9f) && code != 0x61c && !is_within(code, 0x200e, 0x200f) &&
         !is_within(code, 0x2028, 0x202e) && !is_within(code, 0x2066, 0x2069) && code != 0xfeff &&
         !is_within(code, 0xfdd0, 0xfdef) && (code & 0xfffe) != 0xfffe;
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

std::string without_commands(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const auto line = text.substr(begin, end - begin);
    out += is_command(line) ? "| " : "";
    out += line;
    begin = end;
  }
  return out;
}

// Calls `keep` for what can be shown, and `replace` for what cannot.
template <class Keep, class Replace>
void visit(std::string_view text, const Keep& keep, const Replace& replace) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    is_shown(character) ? keep(text.substr(at, character.bytes)) : replace(at);
    at += character.bytes;
  }
}

}  // namespace

bool is_plain(std::string_view text) {
  bool out = true;
  visit(
      text, [](std::string_view) {}, [&out](std::size_t) { out = false; });
  return out;
}

std::string plain(std::string_view text) {
  std::string out;
  visit(
      text, [&out](std::string_view shown) { out += shown; }, [&out](std::size_t) { out += '?'; });
  return out;
}

std::string plain_line(std::string_view text) {
  std::string out = plain(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

std::string plain_lines(std::string_view text) { return without_commands(plain(text)); }

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return std::string(text);
  }
  std::size_t end = most;
  while (end > 0 && most - end < 4 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return std::string(text.substr(0, end)) + "... (" + std::to_string(text.size() - end) +
         " bytes more)";
}

nlohmann::json with_plain_texts(nlohmann::json value) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    text = is_plain(text) ? std::move(text) : plain(text);
  } else if (value.is_array()) {
    for (auto& item : value) {
      item = with_plain_texts(std::move(item));
    }
  } else if (value.is_object()) {
    auto& members = value.get_ref<nlohmann::json::object_t&>();
    for (auto item = members.begin(); item != members.end();) {
      item->second = with_plain_texts(std::move(item->second));
      const auto next = std::next(item);
      if (!is_plain(item->first)) {
        auto node = members.extract(item);
        node.key() = plain(node.key());
        members.insert(std::move(node));
      }
      item = next;
    }
  }
  return value;
}

std::string for_terminal(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t own = own_sequence_at(text, at);
    const Character character = character_at(text, at);
    const std::size_t bytes = own > 0 ? own : character.bytes;
    out += own > 0 || is_shown(character) ? text.substr(at, bytes) : "?";
    at += bytes;
  }
  return without_commands(out);
}

std::string for_markdown(std::string_view text) {
  constexpr std::string_view kMeansSomething = "\\`*_{}[]()<>#+!|&~$";
  std::string out;
  for (const char c : plain_line(text)) {
    if (kMeansSomething.find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string out;
  for (const char c : plain_line(text)) {
    out += c == '`' ? "'" : c == '|' ? "\u00a6" : std::string(1, c);
  }
  return out.find_first_not_of(' ') == std::string::npos ? "`-`" : "`" + out + "`";
}

std::string markdown_block(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence + "\n" + plain_lines(text);
  if (out.back() != '\n') {
    out += '\n';
  }
  return out + fence + "\n";
}

}  // namespace perfgate
