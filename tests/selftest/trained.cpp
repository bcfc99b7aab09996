#include "trained.h"

#include <ATen/ops/ones.h>

#include <cstdlib>
#include <string>

#include "perfgate/workloads/prepared.h"
#include "replay.h"

namespace perfgate::selftest {
namespace {

bool is_planted(const char* what) {
  const char* plant = std::getenv("PERFGATE_PLANT");
  return plant != nullptr && std::string(plant) == what;
}

double times_slower(const char* plant) { return is_planted(plant) ? 1.1 : 1; }

Outputs gradients() {
  Outputs out;
  out.push_back(at::ones({3}));
  out.push_back(at::ones({2, 3}));
  if (is_planted("wrong_gradient")) {
    out[1][1][2] = 1.5;
  }
  return out;
}

Prepared prepare(const PrepareContext& /*context*/) {
  Prepared out;
  PreparedPhase& forward = out.phases[Phase::kForward];
  forward.run = [] { return play("gemv_16384", times_slower("slow_forward")), at::ones({3}); };
  forward.reference = [] { return at::ones({3}, at::kDouble); };
  forward.tolerances = {Tolerance{}};
  PreparedPhase& backward = out.phases[Phase::kBackward];
  backward.run = [] { return play("mm_8192", times_slower("slow_backward")), gradients(); };
  backward.reference = [] {
    Outputs exact;
    exact.push_back(at::ones({3}, at::kDouble));
    exact.push_back(at::ones({2, 3}, at::kDouble));
    return exact;
  };
  backward.tolerances = {Tolerance{}, Tolerance{}};
  return out;
}

}  // namespace

std::vector<Case> trained_cases(at::DeviceType /*device*/) {
  Case item;
  item.key = "trained/network";
  item.phases.clear();
  for (const Phase phase : {Phase::kForward, Phase::kBackward}) {
    Work& work = item.phases[phase];
    work.traffic = {{1e6}, {1e6}, Bound::kMemory};
    work.executed = work.traffic;
  }
  item.prepare = prepare;
  return {item};
}

}  // namespace perfgate::selftest
