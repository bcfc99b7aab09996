#pragma once
// Which of GoogleTest's tests run.

#include <string>
#include <vector>

namespace perfgate {

/// Excludes every test whose case is not selected; a test's printed parameter is its key.
void filter_tests(const std::vector<std::string>& selected);

/// Throws UsageError where a filter matches no test at all. Those that leave nothing of a family
/// are no mistake.
void require_a_test(const std::string& filter);

/// The cases whose tests GoogleTest is going to run, in their order, once it has applied its
/// filter; none where it shuffles them, for it does not tell that order.
std::vector<std::string> expected_cases();

}  // namespace perfgate
