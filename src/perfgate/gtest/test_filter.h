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

/// Of these cases those whose test GoogleTest's filter takes, in their order. Throws as
/// require_a_test does.
std::vector<std::string> kept_by_filter(std::vector<std::string> keys);

/// The cases whose tests GoogleTest is going to run, once it has applied its filter, in the order
/// of their tables: it runs them in that one, unless it shuffles them.
std::vector<std::string> cases_to_run();

}  // namespace perfgate
