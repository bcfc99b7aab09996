#pragma once
// The rules of a refresh: how one measured session enters a baseline. Pure.

#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/joining.h"

namespace perfgate {

/// One metric of one case as measured in a session.
struct MeasuredMetric {
  MetricRecord description;
  std::vector<double> figures;  ///< one a worker
};

/// What of a session's workers is recorded: every metric that does not follow from the others.
/// Precondition: at least one report, all of one case and measured.
std::map<std::string, MeasuredMetric> measured_metrics(const std::vector<WorkerReport>& reports);

/// A session of one case, ready to be recorded.
struct CaseSession {
  std::string case_key;
  std::map<std::string, MeasuredMetric> metrics;
  std::string judged_against = {};         ///< first anchor of that epoch; empty: there was none
  bool changed = false;                    ///< is not what that epoch was: needs a new one
  std::string reason;                      ///< of a first or new epoch
  std::vector<KernelRecord> kernels = {};  ///< what a worker ran, if it was traced
  Tuning tuning = {};                      ///< with what it measured
};

/// The first free id `<date>-<unit>-<n>`, unit shortened to eight characters.
std::string next_session_id(const Baseline& baseline, const SessionRecord& session);

/// Records `cases` as one new session and returns its id. A case that is not there yet gets its
/// first epoch. One whose judged metrics are missing or of another protocol starts afresh: figures
/// of another protocol are never compared, so they are not kept either. Otherwise what the record
/// says of a metric (judged, tolerance, statistic) stays; a metric that is new to it is judged as
/// proposed where the others are, from its first anchor session on. A session that measured with
/// another tuning, or that changed, begins an epoch; one that did not change joins the epoch that
/// it was judged against, as an anchor while its unit has fewer than kAnchorSessions and joining()
/// says so; it must not be refused. Several runs
/// may record one change at once: a changed session joins an epoch that was begun for the same
/// reason since it was judged. Sessions that no epoch names any more are dropped.
std::string record_session(Baseline& baseline, const SessionRecord& session,
                           const std::vector<CaseSession>& cases, int known_unit_sessions);

}  // namespace perfgate
