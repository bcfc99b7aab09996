#pragma once
// Whose turn it is to be a canary: a rotation over a run's cases by the date, without a memory that
// could be lost. A draw at random would leave some case out for months.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perfgate {

struct CanaryTurn {
  std::string case_key;
  bool injected = false;  ///< else an A/A repeat
};

/// Days since 1970 of a time in ISO 8601, UTC. Throws std::invalid_argument where it is none.
std::int64_t day_of(const std::string& time);

/// The canaries of a day: of n cases, in the order of their keys, n x `share` a day (0 to 1), on
/// average where that is no whole number. So each case has its turn every 1 / share days. With
/// injected work and without take turns, both from case to case and from one turn of a case to its
/// next. A case that cannot be one that day is passed over for the next that can.
std::vector<CanaryTurn> turns_of(std::int64_t day, std::vector<std::string> keys, double share,
                                 const std::function<bool(const CanaryTurn&)>& can_be);

}  // namespace perfgate
