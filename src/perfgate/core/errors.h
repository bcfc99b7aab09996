#pragma once
// Typed errors and the exit codes they end in. An Error says what is wrong, where, and how to mend
// it; expected outcomes (no baseline, unsupported) are values, never exceptions.

#include <stdexcept>
#include <string>

#include "perfgate/core/plain_text.h"

namespace perfgate {

/// The process's exit codes. When several apply, the strongest: usage, fail, refused, ok, skipped.
enum class ExitCode : int {
  kOk = 0,        ///< every selected case passed (or was recorded)
  kFail = 1,      ///< a regression, a wrong number, a lost case or an error
  kUsage = 2,     ///< bad flag, unreadable baseline: nothing was measured
  kRefused = 3,   ///< the machine is unfit, or a refresh refused a case
  kSkipped = 77,  ///< nothing selected or nothing able to run (CTest: Skipped)
};

/// Base of all errors thrown on purpose. what() reads "<problem>\n  mend: <how>".
class Error : public std::runtime_error {
 public:
  Error(const std::string& problem, const std::string& mend)
      : std::runtime_error(plain(mend.empty() ? problem : problem + "\n  mend: " + mend)) {}
  /// what() without how to mend it.
  [[nodiscard]] std::string problem() const {
    const std::string text = what();
    return text.substr(0, text.find("\n  mend: "));
  }
};

/// The caller asked for something impossible, or gave an unreadable file. Ends in exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The system let us down (disk full, no such folder, fork failed). Ends in exit code 2.
class SystemError : public Error {
 public:
  using Error::Error;
};

}  // namespace perfgate
