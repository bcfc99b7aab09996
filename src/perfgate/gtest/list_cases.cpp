#include <iostream>

#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/selected_cases.h"

namespace perfgate {

namespace {

int print(const std::vector<std::string>& keys) {
  for (const auto& key : keys) {
    std::cout << key << "\n";
  }
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace

int list_cases_command(const Options& options, const Backend& backend) {
  return print(listed_cases(options, backend));
}

int list_night_command(const Options& options, const Backend& backend) {
  return print(selected_cases(options, backend));
}

}  // namespace perfgate
