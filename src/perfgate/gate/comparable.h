#pragma once
// Whether tonight's measurements may be compared with what is recorded. What perfgate does
// otherwise than then (samples, flush, control) makes measurements of another protocol, which are
// never compared. What the case does otherwise (it waits for the host where it did not) is the
// finding itself: to call that another protocol would let the commonest regressions of a library
// pass.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/verdict.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

struct Finding {
  Verdict verdict = Verdict::kError;
  std::string message;
};

/// What keeps a case from being judged, if anything does: another protocol (NO_BASELINE), a trace
/// that this machine could not take (MACHINE_INVALID), a judged metric that is gone (LOST).
/// `reports`: at least one, all measured.
std::optional<Finding> obstacle_to_judging(const CaseRecord& record,
                                           const std::vector<WorkerReport>& reports);

/// What the case does otherwise than it did when it was recorded: it can no longer be queued before
/// it runs (REGRESSED; UNSTEADY where only some processes say so), or now it can (IMPROVED).
std::optional<Finding> changed_behaviour(const CaseRecord& record,
                                         const std::vector<WorkerReport>& reports);

/// That a phase can no longer be queued before it runs. `processes`: " in 2 of 5 processes"; empty:
/// in all.
std::string waits_for_host_text(Phase phase, const std::string& processes);

/// Of a case whose worker was killed, since it took too long: REGRESSED, with the factor by which a
/// run is slower at least, where it is twice as slow. `run_us`: what one run of all phases took
/// `when`, "when it was recorded"; 0: not known.
std::optional<Finding> far_too_slow(const WorkerReport& report, double run_us,
                                    const std::string& when);

/// Which metrics that may join a record later are not judged tonight, and why: of an optional one,
/// not all processes measured it (a host that does not decide any more), it was recorded by another
/// setting or not at all, or not on this device: hosts of one kind of GPU differ, so that others'
/// say nothing; one of the case's own is not recorded yet. Such a metric keeps nothing else of its
/// case from being judged. `reports`: as above, of `device_id`.
std::map<Metric, std::string> metrics_not_judged(const Baseline& baseline, const CaseRecord& record,
                                                 const std::vector<WorkerReport>& reports,
                                                 const std::string& device_id);

/// Whether the report has what judging `metric` takes: of cycles, their time too.
bool has_metric(const WorkerReport& report, Metric metric);

}  // namespace perfgate
