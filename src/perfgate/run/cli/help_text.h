#pragma once
// What --help says at length.

#include <string>

namespace perfgate {

/// Behind the flags: exit codes and examples.
std::string help_footer();

/// Of --export: every format.
std::string export_help();

}  // namespace perfgate
