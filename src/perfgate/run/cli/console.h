#pragma once
// Where the table goes: the terminal, and a progress file for whoever follows a run from outside
// (ctest hides its tests' output). Whoever measures knows neither.

#include <cstddef>
#include <fstream>
#include <string>

#include "perfgate/run/cli/options.h"

namespace perfgate {

class Console {
 public:
  /// Of these options colour, columns and the progress file. Throws SystemError when that cannot
  /// be opened.
  explicit Console(const Options& options);
  /// Part of the table: to the terminal and to the progress file.
  void print(const std::string& text);
  /// What follows the table: to the terminal alone. Whoever follows several families through one
  /// progress file reads it once, of all of them, from --merge.
  void report(const std::string& text);
  /// A line that the next one replaces; only where somebody watches a terminal.
  void show_passing(const std::string& text);
  [[nodiscard]] bool colour() const { return colour_; }
  /// 0: lines of any length fit.
  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// Whether the progress file took all that was printed; true where there is none.
  [[nodiscard]] bool progress_is_whole() const { return !progress_.is_open() || progress_.good(); }

 private:
  void clear_passing();
  bool terminal_;
  bool colour_;
  std::size_t columns_;
  bool passing_ = false;
  std::ofstream progress_;
};

}  // namespace perfgate
