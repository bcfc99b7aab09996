// GoogleTest's main, but a run of which every test was skipped ends with 77, so that CTest shows it
// as skipped, and one that failed beside a skip as failed. One without a test has failed: a suite
// is misspelt.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  testing::InitGoogleMock(&argc, argv);
  const int code = RUN_ALL_TESTS();
  const auto& tests = *testing::UnitTest::GetInstance();
  if (tests.test_to_run_count() == 0) {
    return 1;
  }
  const bool none_ran = tests.skipped_test_count() == tests.test_to_run_count();
  return code == 0 && none_ran ? kSkipped : code;
}
