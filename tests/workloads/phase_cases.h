#pragma once
// What the tests of prepared cases of several phases share.

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/case.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {

inline Prepared prepare(const Case& item) {
  return item.prepare({at::kCPU, "/no/packages", "test"});
}

/// Elements of a phase's outputs that are not the reference's.
inline double wrong_elements(const PreparedPhase& phase) {
  double out = 0;
  const auto actual = phase.run_once();
  const auto expected = phase.reference();
  EXPECT_EQ(actual.size(), expected.size());
  EXPECT_EQ(actual.size(), phase.tolerances.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    out += static_cast<double>(compare(actual[i], expected[i], phase.tolerances[i]).wrong_elements);
  }
  return out;
}

inline double wrong_elements(const Prepared& prepared) {
  double out = 0;
  for (const auto& [phase, part] : prepared.phases) {
    out += wrong_elements(part);
  }
  return out;
}

/// One thread, as in a worker.
class OneThread : public testing::Test {
 protected:
  OneThread() : threads_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThread() override { at::set_num_threads(threads_); }

 private:
  int threads_;
};

}  // namespace perfgate
