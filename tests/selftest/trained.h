#pragma once
// A case that is trained: forward and backward play recorded operations, and one of them goes wrong
// where the environment asks for it.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::selftest {

/// `trained/network`, whose backward gives two gradients. $PERFGATE_PLANT: "slow_forward" and
/// "slow_backward" make that phase take a tenth longer, "wrong_gradient" sets one element of the
/// second gradient wrong.
std::vector<Case> trained_cases(at::DeviceType device);

}  // namespace perfgate::selftest
