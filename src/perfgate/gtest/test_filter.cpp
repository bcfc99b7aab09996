#include "perfgate/gtest/test_filter.h"

#include <gtest/gtest.h>

#include <set>

#include "perfgate/core/errors.h"
#include "perfgate/run/selection.h"

namespace perfgate {

void filter_tests(const std::vector<std::string>& selected) {
  const std::set<std::string> wanted(selected.begin(), selected.end());
  std::vector<std::string> excluded;
  const auto* unit_test = testing::UnitTest::GetInstance();
  for (int i = 0; i < unit_test->total_test_suite_count(); ++i) {
    const auto* suite = unit_test->GetTestSuite(i);
    for (int j = 0; j < suite->total_test_count(); ++j) {
      const auto* test = suite->GetTestInfo(j);
      if (test->value_param() != nullptr && wanted.count(test->value_param()) == 0) {
        excluded.push_back(std::string(suite->name()) + "." + test->name());
      }
    }
  }
  testing::GTEST_FLAG(filter) = filter_without(testing::GTEST_FLAG(filter), excluded);
}

void require_a_test(const std::string& filter) {
  const auto* unit_test = testing::UnitTest::GetInstance();
  for (int i = 0; i < unit_test->total_test_suite_count(); ++i) {
    const auto* suite = unit_test->GetTestSuite(i);
    for (int j = 0; j < suite->total_test_count(); ++j) {
      if (matches_filter(std::string(suite->name()) + "." + suite->GetTestInfo(j)->name(),
                         filter)) {
        return;
      }
    }
  }
  throw UsageError("no test matches the filter \"" + filter + "\" (--gtest_filter or GTEST_FILTER)",
                   "perfgate --gtest_list_tests prints every name; --case selects by key");
}

}  // namespace perfgate
