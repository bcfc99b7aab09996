#pragma once
// Recorded sessions as nights of their own: taken out of a baseline, to be judged by what is left.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

constexpr int kSessions =
    3;  ///< of a device, of which one is a night and the others its own reference

/// A session that was taken out of a case's revision in force.
struct Night {
  std::string device_id;
  CeilingRates ceilings;
  SessionMeasurements measurements;
};

/// Takes session `which` (0, 1, 2) out of the device that has enough of them, and the most judged
/// metrics. Nothing where no device has.
std::optional<Night> take_out(const Baseline& baseline, CaseRecord& record, int which);

/// Takes this session out of a case. Nothing, and nothing taken, where the case does not have it or
/// would have none left to be judged by.
std::optional<Night> take_session_out(const Baseline& baseline, CaseRecord& record,
                                      const std::string& session_id);

/// Takes out every session of a device but the first `kept` of each case, by case. A case that no
/// other device knows stays as it is.
std::multimap<std::string, Night> take_device_out(Baseline& baseline, const std::string& device_id,
                                                  int kept);

/// The same of every case, by case.
std::map<std::string, Night> take_session_out(Baseline& baseline, const std::string& session_id);

/// The measurements of the metrics that `which` takes, slower by so much, relative.
SessionMeasurements slower(
    SessionMeasurements session, double by,
    const std::function<bool(Metric)>& which = [](Metric) { return true; });

/// The lines of a file of case keys; none where there is no such file.
std::set<std::string> lines_of(const std::filesystem::path& file);

}  // namespace perfgate
