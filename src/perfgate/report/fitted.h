#pragma once
// Text for a terminal of so many columns. One that wraps by itself breaks words, and puts what is
// left at the margin, where a table's next line begins.

#include <cstddef>
#include <string>
#include <string_view>

namespace perfgate {

/// Breaks each line that is longer at a space, and goes on below where its text begins. Colours
/// take no room. What has no space to break at stays as it is, and so does a line with a command
/// (" --flag"): somebody will copy it. `columns` 0: any length fits.
std::string fitted(std::string_view text, std::size_t columns);

/// At most `width` characters: of longer text the beginning and the end, which of a case's key are
/// the family and the implementation.
std::string clipped_in_the_middle(const std::string& text, std::size_t width);

}  // namespace perfgate
