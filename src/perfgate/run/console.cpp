#include "perfgate/run/console.h"

#include <unistd.h>

#include <iostream>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {

Console::Console(Colour colour, const Paths& paths)
    : terminal_(isatty(STDOUT_FILENO) != 0),
      colour_(colour == Colour::kAlways || (colour == Colour::kAuto && terminal_)) {
  if (!paths.progress.empty()) {
    const auto type = std::filesystem::status(paths.progress).type();
    if (type == std::filesystem::file_type::fifo ||
        std::filesystem::weakly_canonical(paths.progress).parent_path() ==
            std::filesystem::weakly_canonical(paths.baselines)) {
      throw UsageError(
          "--progress=" + paths.progress.string() + " is a FIFO, or lies among the baselines",
          "name a file of its own");
    }
    progress_.open(paths.progress, std::ios::app);
    if (!progress_) {
      throw SystemError("cannot open the progress file " + paths.progress.string(),
                        "name a file in a folder that is there and writable");
    }
  }
}

void Console::clear_passing() {
  if (passing_) {
    const char* erase = "\r\033[K";
    terminal_ ? std::cout << erase : std::cout;
    if (progress_.is_open()) {
      progress_ << erase;
    }
    passing_ = false;
  }
}

void Console::print(const std::string& text) {
  const std::string shown = for_terminal(text);
  clear_passing();
  std::cout << shown << std::flush;
  if (progress_.is_open()) {
    progress_ << shown << std::flush;
  }
}

void Console::report(const std::string& text) {
  const std::string shown = for_terminal(text);
  clear_passing();
  std::cout << shown << std::flush;
}

void Console::show_passing(const std::string& text) {
  if (!colour_) {
    return;  // a log file wants no lines that replace each other
  }
  const std::string shown = for_terminal(text);
  clear_passing();
  if (terminal_) {
    std::cout << shown << std::flush;
  }
  if (progress_.is_open()) {
    progress_ << shown << std::flush;
  }
  passing_ = true;
}

}  // namespace perfgate
