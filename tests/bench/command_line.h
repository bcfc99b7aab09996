#pragma once
// The command line of a benchmark: perfgate's flags and a number behind them; and what it ends in.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace perfgate {

struct CountedFlags {
  std::vector<std::string> flags;  ///< without the program
  int count = 0;
};

/// `usual`: where there is no number.
inline CountedFlags counted_flags(int argc, char** argv, int usual) {
  CountedFlags out{{argv + 1, argv + argc}, usual};
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (!out.flags.empty() && !out.flags.back().empty() &&
      std::all_of(out.flags.back().begin(), out.flags.back().end(), is_digit)) {
    out.count = std::stoi(out.flags.back());
    out.flags.pop_back();
  }
  return out;
}

/// What `run` returns; 2 where it throws, and the error is said.
inline int ended(int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}

}  // namespace perfgate
