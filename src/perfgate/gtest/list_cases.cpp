#include <iostream>

#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/selected_cases.h"

namespace perfgate {

int list_cases_command(const Options& options, const Backend& backend) {
  for (const auto& key : listed_cases(options, backend)) {
    std::cout << key << "\n";
  }
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
