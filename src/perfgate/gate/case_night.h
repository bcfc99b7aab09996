#pragma once
// One case in one night, as the history keeps it: what a CUSUM over nights needs, what the next
// night has to know, and what people ask of a history.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/change.h"
#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// How well a night's value and the reference's mean are known, in logs.
struct SeriesNoise {
  double night = 0;      ///< standard deviation of a night's value
  double reference = 0;  ///< standard error of the reference's mean
  double degrees = 0;    ///< of freedom, of both
};

/// A judged metric.
struct SeriesNight {
  double value = 0;  ///< in the metric's unit
  LogChange change;  ///< against the reference
  /// Nothing where no sum over nights is of use: on a device that the baseline does not know, and
  /// of the best of fewer processes than a session has.
  std::optional<SeriesNoise> noise;
  int sessions = 0;  ///< that the reference rests on
  Verdict verdict = Verdict::kPass;
};

struct CaseNight {
  std::string time;   ///< ISO 8601, UTC
  std::string model;  ///< of the device
  std::string device_id;
  std::string commit;
  std::string libtorch;
  std::optional<std::string> driver;
  std::string case_key;
  std::string revision;              ///< first reference session of the baseline's
  int workers = 0;                   ///< that tonight's values are made of
  Verdict verdict = Verdict::kPass;  ///< the case's
  /// None where it was not judged, and of a run that was no whole night: those who pick a case
  /// mostly do so since it looked odd the night before, which would be a biased sample.
  std::map<Metric, SeriesNight> metrics;
  /// A faster state than the baseline has, which nobody has recorded yet; mostly empty.
  SessionMeasurements improvement = {};
};

/// How much slower a night was than the reference that `last` was compared with. Its own
/// `change` is against the reference of its time: a change that was accepted since would look
/// undone.
LogChange change_against(const SeriesNight& last, const SeriesNight& night, Metric metric);

/// When the case was tried, with what, and what came of it. `recorded`: the baseline.
CaseNight night_without_figures(const Baseline& recorded, const SessionRecord& tonight,
                                const Outcome& outcome);

/// Of each outcome that was judged. What was compared with an improvement that is not recorded, and
/// what nobody could judge, is not among them.
std::vector<CaseNight> case_nights(const Judge& judge, const SessionRecord& tonight,
                                   const std::vector<Outcome>& outcomes);

}  // namespace perfgate
