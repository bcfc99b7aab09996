#pragma once
// The text of the error that something throws, to be matched piece by piece.

#include <string>

#include "perfgate/core/errors.h"

namespace perfgate::testing_support {

/// what() of the `Expected` that `action` throws, or a text saying that it threw none.
template <class Expected = UsageError, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "(no such error was thrown)";
}

}  // namespace perfgate::testing_support
