#pragma once
// Cases that do what cases must not: crash, hang, run out of memory, throw, refuse, answer wrongly.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::selftest {

/// `misbehaving/<deed>`, and `misbehaving/well` that does nothing wrong.
std::vector<Case> misbehaving_cases(at::DeviceType device);

/// `refusing/always`: a family in which nothing is able to run.
std::vector<Case> refusing_cases(at::DeviceType device);

}  // namespace perfgate::selftest
