#pragma once
// Text that came from outside (a case's message, a reason, a file) and goes to a terminal, a log or
// a page. An escape sequence in it would repaint the screen of whoever reads it, a line that begins
// with "::" is a command to GitHub's log, and a fence of backquotes ends the block that it stands
// in.

#include <string>
#include <string_view>

namespace perfgate {

/// Whether every character can be shown: none of the control characters (C0, C1 in UTF-8, DEL) but
/// line feed and tab.
bool is_plain(std::string_view text);

/// The text with each of those characters as "?".
std::string plain(std::string_view text);

/// For a terminal or a log: perfgate's own colours stay, no other control character does, and no
/// line is a command of the log's.
std::string for_terminal(std::string_view text);

/// For a Markdown table's cell: on one line, and nothing in it is Markdown or HTML.
std::string for_markdown(std::string_view text);

/// A block of code, in a fence that nothing in it can end. Ends with a line feed.
std::string markdown_block(std::string_view text);

}  // namespace perfgate
