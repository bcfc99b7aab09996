#include "perfgate/gtest/test_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "perfgate/core/errors.h"
#include "perfgate/run/cli/selection.h"

namespace perfgate {
namespace {

// In the order of their tables.
std::vector<const testing::TestInfo*> all_tests() {
  std::vector<const testing::TestInfo*> out;
  const auto* unit_test = testing::UnitTest::GetInstance();
  for (int i = 0; i < unit_test->total_test_suite_count(); ++i) {
    const auto* suite = unit_test->GetTestSuite(i);
    for (int j = 0; j < suite->total_test_count(); ++j) {
      out.push_back(suite->GetTestInfo(j));
    }
  }
  return out;
}

std::string name_of(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

}  // namespace

void filter_tests(const std::vector<std::string>& selected) {
  const std::set<std::string> wanted(selected.begin(), selected.end());
  std::vector<std::string> excluded;
  for (const auto* test : all_tests()) {
    if (test->value_param() != nullptr && wanted.count(test->value_param()) == 0) {
      excluded.push_back(name_of(*test));
    }
  }
  testing::GTEST_FLAG(filter) = filter_without(testing::GTEST_FLAG(filter), excluded);
}

void require_a_test(const std::string& filter) {
  const auto tests = all_tests();
  if (std::none_of(tests.begin(), tests.end(), [&filter](const auto* test) {
        return matches_filter(name_of(*test), filter);
      })) {
    throw UsageError(
        "no test matches the filter \"" + filter + "\" (--gtest_filter or GTEST_FILTER)",
        "perfgate --gtest_list_tests prints every name; --case selects by key");
  }
}

std::vector<std::string> kept_by_filter(std::vector<std::string> keys) {
  const std::string filter = testing::GTEST_FLAG(filter);
  require_a_test(filter);
  std::set<std::string> taken;
  for (const auto* test : all_tests()) {
    if (test->value_param() != nullptr && matches_filter(name_of(*test), filter)) {
      taken.insert(test->value_param());
    }
  }
  std::erase_if(keys, [&taken](const std::string& key) { return taken.count(key) == 0; });
  return keys;
}

std::vector<std::string> cases_to_run() {
  std::vector<std::string> out;
  for (const auto* test : all_tests()) {
    if (test->should_run() && test->value_param() != nullptr) {
      out.emplace_back(test->value_param());
    }
  }
  return out;
}

}  // namespace perfgate
