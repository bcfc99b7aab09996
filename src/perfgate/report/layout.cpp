#include "perfgate/report/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfgate {
namespace {

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "\033[32m";
    case Verdict::kImproved:
      return "\033[36m";
    case Verdict::kNoBaseline:
    case Verdict::kUnsupported:
      return "\033[90m";
    case Verdict::kBlind:
    case Verdict::kSuspect:
    case Verdict::kMachineInvalid:
      return "\033[33m";
    case Verdict::kRegressed:
    case Verdict::kUnsteady:
    case Verdict::kOtherKernels:
    case Verdict::kWrong:
    case Verdict::kLost:
    case Verdict::kError:
      return "\033[1;31m";
  }
  return "";
}

}  // namespace

std::string painted(Verdict verdict, std::string_view text, bool colour) {
  return colour ? fmt::format("{}{}\033[0m", colour_of(verdict), text) : std::string(text);
}

std::string plural(std::size_t number, const std::string& noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string clipped(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string labelled(const std::string& label, const std::string& text) {
  constexpr std::size_t kWidth = 100;
  const std::string lines = wrapped(text, kWidth, "\n            ");
  return fmt::format("  {:<9} {}\n", label, lines.substr(lines.find_first_not_of("\n ")));
}

std::string wrapped(std::string_view text, std::size_t width, const std::string& margin) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      const auto space = text.rfind(' ', width);
      end = space == std::string_view::npos || space == 0 ? width : space;
    }
    out += margin + std::string(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return out;
}

}  // namespace perfgate
