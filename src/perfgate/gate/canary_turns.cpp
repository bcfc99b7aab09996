#include "perfgate/gate/canary_turns.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "perfgate/core/utc_time.h"

namespace perfgate {

std::int64_t day_of(const std::string& time) {
  if (const auto seconds = utc_time(time)) {
    return std::chrono::floor<std::chrono::days>(*seconds).time_since_epoch().count();
  }
  throw std::invalid_argument("no time: " + time);
}

std::vector<CanaryTurn> turns_of(std::int64_t day, std::vector<std::string> keys, double share,
                                 const std::function<bool(const CanaryTurn&)>& can_be) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const auto cases = static_cast<std::int64_t>(keys.size());
  // Turns are counted from 1970 on, so that the next day begins where this one ends.
  const auto turns_before = [&](std::int64_t days) {
    return static_cast<std::int64_t>(
        std::floor(static_cast<double>(days) * static_cast<double>(cases) * share));
  };
  std::vector<CanaryTurn> out;
  const auto has_turn = [&out](const std::string& key) {
    return std::any_of(out.begin(), out.end(),
                       [&key](const CanaryTurn& turn) { return turn.case_key == key; });
  };
  for (std::int64_t turn = turns_before(day); turn < turns_before(day + 1); ++turn) {
    const bool injected = (turn % cases + turn / cases) % 2 == 0;
    for (std::int64_t step = 0; step < cases; ++step) {
      const CanaryTurn next{keys[static_cast<std::size_t>((turn + step) % cases)], injected};
      if (!has_turn(next.case_key) && can_be(next)) {
        out.push_back(next);
        break;
      }
    }
  }
  return out;
}

}  // namespace perfgate
