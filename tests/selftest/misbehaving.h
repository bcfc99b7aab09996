#pragma once
// Cases that do what cases must not: crash, hang, run out of memory, throw, refuse, answer wrongly.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::selftest {

/// `misbehaving/<deed>`, and `misbehaving/well` that does nothing wrong.
std::vector<Case> misbehaving_cases(at::DeviceType device);

/// `on_demand/nightly`, and `on_demand/asked_for`, which a night leaves out.
std::vector<Case> on_demand_cases(at::DeviceType device);
/// `on_demand/made/7` is in no table.
std::vector<Case> on_demand_to_order(const std::string& keys, at::DeviceType device);

/// `searching/tuned`, which says which process searched for its tuning, and has a metric of its
/// own.
std::vector<Case> searching_cases(at::DeviceType device);

/// `refusing/always`: a family in which nothing is able to run.
std::vector<Case> refusing_cases(at::DeviceType device);

}  // namespace perfgate::selftest
