#include "perfgate/run/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/report/fitted.h"

namespace perfgate {

namespace {

std::size_t columns_of_terminal() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

Console::Console(const Options& options)
    : terminal_(isatty(STDOUT_FILENO) != 0),
      colour_(options.colour == Colour::kAlways || (options.colour == Colour::kAuto && terminal_)),
      columns_(options.columns > 0 ? static_cast<std::size_t>(options.columns)
                                   : columns_of_terminal()) {
  const Paths& paths = options.paths;
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
  const std::string shown = fitted(for_terminal(text), columns_);
  clear_passing();
  std::cout << shown << std::flush;
  if (progress_.is_open()) {
    progress_ << shown << std::flush;
  }
}

void Console::report(const std::string& text) {
  const std::string shown = fitted(for_terminal(text), columns_);
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
