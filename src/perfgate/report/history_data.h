#pragma once
// The nights of a history as a page's script reads them: columns of small integers. A year of a
// thousand series is then a few megabytes, and parsed in a moment.

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "perfgate/gate/case_night.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// Of the cases of `night`, on the devices that they ran on:
///   builds: [{commit, libtorch, driver}]
///   times:  [seconds since 1970], ascending
///   builds_of: index into builds, one a time
///   series: {"device case": {metric: {at: [index into times], change: [1e-5, log], noise: [1e-5,
///   log]}}}
/// `change` is against the reference that the last night was compared with; `noise` is a night's
/// standard deviation and the error of its reference together; -1: not known.
nlohmann::json history_data(const Run& night, std::span<const CaseNight> history);

}  // namespace perfgate
