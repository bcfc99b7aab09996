#pragma once
// The rules of a refresh: how one measured session enters a baseline. Pure.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"

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
  std::optional<std::string> changed_from;  ///< a new epoch, for it is not what this one was: the
                                            ///< epoch's first anchor, as it was judged against
  std::string reason;                       ///< of a first or new epoch
  std::vector<KernelRecord> kernels = {};   ///< what a worker ran, if it was traced
  Tuning tuning = {};                       ///< with what it measured
};

/// The first free id `<date>-<unit>-<n>`, unit shortened to eight characters.
std::string next_session_id(const Baseline& baseline, const SessionRecord& session);

/// Records `cases` as one new session and returns its id. A case that is not there yet gets its
/// first epoch. One whose judged metrics are missing or of another protocol starts afresh: figures
/// of another protocol are never compared, so they are not kept either. Otherwise what the record
/// says of a metric (judged, tolerance, statistic) stays, and the session joins
/// the epoch in force, as an anchor while its unit has fewer than kAnchorSessions, or a new epoch
/// begins: always where it measured with another tuning. Where another unit has begun one for the
/// same reason since this session was judged, it joins that. Sessions that no epoch names any more
/// are dropped.
std::string record_session(Baseline& baseline, const SessionRecord& session,
                           const std::vector<CaseSession>& cases);

}  // namespace perfgate
