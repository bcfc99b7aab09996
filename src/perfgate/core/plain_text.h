#pragma once
// Text that came from outside (a case's message, a variable, a path, a results file of somebody
// else) and goes to a terminal, a log, a page or a file. An escape sequence in it would repaint the
// screen of whoever reads it, a line that begins with "::" is a command to GitHub's log, a fence of
// backquotes ends the block that it stands in, and bytes that are not UTF-8 end a writer of JSON at
// the end of a run. What enters is made plain; each format has one way to hold it.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace perfgate {

/// How long a text may be that somebody else has written: a message, last words. Whoever threw 3 MB
/// did not write them for people.
constexpr std::size_t kLongestText = 4096;

/// Whether the text is UTF-8 of which every character can be shown: no control character (C0, C1,
/// DEL) but line feed and tab, none that turns the direction of text or ends a line for some
/// readers, no byte order mark, and none that Unicode says is no character.
bool is_plain(std::string_view text);

/// The text with "?" for each of those characters, and for each byte that is not UTF-8.
std::string plain(std::string_view text);

/// The same, on one line.
std::string plain_line(std::string_view text);

/// The same as plain, and no line is a command of a log's.
std::string plain_lines(std::string_view text);

/// The text's beginning, `most` bytes long at most and cut between characters, and how much more
/// there was; the text itself where it is no longer.
std::string shortened(std::string_view text, std::size_t most = kLongestText);

/// The document with each text and each key of it plain: it can be written, and read by JsonCursor.
nlohmann::json with_plain_texts(nlohmann::json value);

/// For a terminal or a log: perfgate's own colours stay, nothing else that is not plain does, and
/// no line is a command of the log's.
std::string for_terminal(std::string_view text);

/// For a Markdown table's cell: on one line, and nothing in it is Markdown or HTML.
std::string for_markdown(std::string_view text);

/// A span of code, in a table's cell too, that nothing in it can end.
std::string markdown_code(std::string_view text);

/// A block of code, in a fence that nothing in it can end. Ends with a line feed.
std::string markdown_block(std::string_view text);

}  // namespace perfgate
