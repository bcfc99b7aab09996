#pragma once
// How lines on a terminal are made: colour, plural, width.

#include <cstddef>
#include <string>
#include <string_view>

#include "perfgate/gate/verdict.h"

namespace perfgate {

/// The text in the verdict's colour, where there is to be any.
std::string painted(Verdict verdict, std::string_view text, bool colour);

/// "1 case", "2 cases".
std::string plural(std::size_t number, const std::string& noun);

/// At most `width` characters; what is longer ends in "...".
std::string clipped(const std::string& text, std::size_t width);

/// A line of a summary: the text behind a label, on as many lines as it takes.
std::string labelled(const std::string& label, const std::string& text);

/// The text in lines of at most `width`, broken at spaces where there are any, each behind
/// `margin`.
std::string wrapped(std::string_view text, std::size_t width, const std::string& margin);

}  // namespace perfgate
