#include "perfgate/gtest/failure_printer.h"

#include <string_view>

namespace perfgate {

void FailurePrinter::OnTestPartResult(const testing::TestPartResult& result) {
  constexpr std::string_view kAddedFailure = "Failed\n";  // GoogleTest's own first line
  if (result.failed()) {
    std::string_view text = result.message();
    if (text.substr(0, kAddedFailure.size()) == kAddedFailure) {
      text.remove_prefix(kAddedFailure.size());
    }
    failures_.emplace_back(text);
  }
}

const FailurePrinter& install_failure_printer() {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* printer = new FailurePrinter;  // GoogleTest owns and deletes it
  listeners.Append(printer);
  return *printer;
}

}  // namespace perfgate
