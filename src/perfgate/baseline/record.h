#pragma once
// The rules of a refresh: how one measured session enters a baseline. Pure.

#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/clock.h"
#include "perfgate/baseline/joining.h"

namespace perfgate {

/// One metric of one case as measured in a session.
struct MeasuredMetric {
  MetricRecord description;
  std::vector<double> measurements;  ///< one a worker
};

/// What of a session's workers may be recorded: every metric that does not follow from the others.
/// Precondition: at least one report, all of one case and measured.
std::map<Metric, MeasuredMetric> measured_metrics(const std::vector<WorkerReport>& reports);

/// By which protocol each phase was measured, and what it ran, as the first process says. Whether
/// it was queued whole, as most of them say. Precondition as above.
std::map<Phase, PhaseRecord> measured_phases(const std::vector<WorkerReport>& reports);

/// A session of one case, ready to be recorded.
struct CaseSession {
  std::string case_key;
  std::map<Metric, MeasuredMetric> metrics;
  std::string judged_against = {};  ///< first reference of that revision; empty: there was none
  bool changed = false;             ///< is not what that revision was: needs a new one
  std::string reason;               ///< of a first or new revision
  std::map<Phase, PhaseRecord> phases = {};  ///< protocol, and kernels where it was traced
  Tuning tuning = {};                        ///< with what it measured
  std::map<std::string, std::string> kernel_sources = {};  ///< text by version
  PackageTunings package_tunings = {};                     ///< of the package that it loads
};

/// The next id `<date>-<device>-<n>`, device shortened to eight characters.
std::string next_session_id(const Baseline& baseline, const SessionRecord& session);

/// What a refresh goes by.
struct RecordRules {
  int known_device_sessions = 0;  ///< see joining()
  ClockPolicy clock;
};

/// Records `cases` as one new session and returns its id. A case that is not there yet gets its
/// first revision. One whose judged metrics are missing or of another protocol starts afresh:
/// measurements of another protocol are never compared, so they are not kept either. Otherwise what
/// the record says of a metric (judged, tolerance, statistic) stays; a metric that is new to it is
/// judged as proposed where the others are, from its first reference session on. A session that
/// measured with another tuning, or that changed, begins a revision; one that did not change joins
/// the revision that it was judged against, as a reference while its device has fewer than
/// kReferenceSessions and joining() says so; it must not be refused. Several runs may record one
/// change at once: a changed session joins a revision that was begun for the same reason since it
/// was judged. Sessions that no revision names any more are dropped.
std::string record_session(Baseline& baseline, const SessionRecord& session,
                           const std::vector<CaseSession>& cases, const RecordRules& rules);

}  // namespace perfgate
