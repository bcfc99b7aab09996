#pragma once
// What a night's cases are compared with, and how small a slowdown that can show: known before
// anything is measured. How many sessions the whole baseline has says neither.

#include <optional>
#include <set>
#include <string>

#include "perfgate/gate/judge.h"

namespace perfgate {

struct NightOutlook {
  struct Part {
    int cases = 0;
    std::optional<double> mde;  ///< relative, the median over these cases of each one's least
  };
  Part own;            ///< compared with sessions of this device
  Part others;         ///< compared with sessions of other devices
  int unrecorded = 0;  ///< not in the baseline
};

/// Of the cases of a night on `device_id`. What tonight measures does not enter, but for the clock
/// and the rate of DRAM: the newest reference session stands in for it.
NightOutlook outlook(const Judge& judge, const std::set<std::string>& night,
                     const std::string& device_id);

}  // namespace perfgate
