#pragma once
// Commands that are printed for people to paste into a shell.

#include <string>
#include <string_view>
#include <vector>

namespace perfgate {

/// One word for a POSIX shell: quoted where it has anything in it that a shell would read.
std::string shell_word(std::string_view text);

/// Words as one command.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace perfgate
