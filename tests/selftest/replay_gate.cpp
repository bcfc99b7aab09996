// A gate binary whose device is a recording, for selftest.cpp to run as a user would.

#include "misbehaving.h"
#include "perfgate/gtest/perf_case.h"
#include "perfgate/gtest/perfgate_main.h"
#include "replay.h"
#include "trained.h"

namespace perfgate::selftest {

class Replay : public PerfCase {};
TEST_P(Replay, HoldsItsBaseline) { gate(); }
INSTANTIATE_TEST_SUITE_P(recorded, Replay, testing::ValuesIn(declare(replay_cases)), case_name);
INSTANTIATE_TEST_SUITE_P(misbehaving, Replay, testing::ValuesIn(declare(misbehaving_cases)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(on_demand, Replay,
                         testing::ValuesIn(declare(on_demand_cases, on_demand_to_order)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(searching, Replay, testing::ValuesIn(declare(searching_cases)), case_name);
INSTANTIATE_TEST_SUITE_P(trained, Replay, testing::ValuesIn(declare(trained_cases)), case_name);
INSTANTIATE_TEST_SUITE_P(refusing, Replay, testing::ValuesIn(declare(refusing_cases)), case_name);

}  // namespace perfgate::selftest

int main(int argc, char** argv) {
  return perfgate::perfgate_main(argc, argv, perfgate::selftest::make_replay_backend);
}
