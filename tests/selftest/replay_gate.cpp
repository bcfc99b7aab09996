// A gate binary whose device is a recording, for selftest.cpp to run as a user would.

#include "misbehaving.h"
#include "perfgate/gtest/perfgate_main.h"
#include "perfgate/workloads/catalogue.h"
#include "replay.h"
#include "trained.h"

namespace perfgate::selftest {

namespace {
const Tables kTables = {replay_cases,    misbehaving_cases, {on_demand_cases, on_demand_to_order},
                        searching_cases, trained_cases,     refusing_cases};
}  // namespace

}  // namespace perfgate::selftest

int main(int argc, char** argv) {
  perfgate::Suite suite;
  suite.name = "replay_gate";
  suite.baselines = PERFGATE_SOURCE_DIR "/baselines";
  return perfgate::perfgate_main(argc, argv, perfgate::selftest::make_replay_backend, suite);
}
