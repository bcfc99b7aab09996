#pragma once
// Whether others on the machine, rather than the case, made what looks changed. A neighbour on the
// other half of a core slows a body more than it slows the controls beside it, or most of its
// samples and no control. Only kinds of device that others may use have such limits, and what a
// GPU's host takes (policy.json).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/judgement.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// Why these are not the ceilings of the machine that the baseline was recorded on: one is further
/// than `tolerance` (relative) from the median of the recorded sessions. Nothing where none is.
std::optional<std::string> why_unlike_recorded(const Baseline& baseline, double tolerance,
                                               const CeilingRates& ceilings);

/// The median of each ceiling over all that measured it.
CeilingRates median_ceilings(const std::vector<CeilingRates>& measured);

/// Why others may have made all that these judgements found; nothing where they do not explain one
/// of the findings. `outcome`: of which they are judgements. `findings`: at least one, none of
/// which is PASS.
std::optional<std::string> interference(const Judge& judge, const Outcome& outcome,
                                        const std::vector<Judgement>& findings);

/// The reports of an outcome's processes that others did not disturb: of the rest, the spread of a
/// process's own samples or its controls explain how far it is from the median of all.
std::vector<WorkerReport> undisturbed(const Judge& judge, const Outcome& outcome, Metric metric);

/// How many times as fast the control beside a case is as before, of the same work: utilisation is
/// the body's rate over the control's, so the control's goes like one over time and utilisation.
double control_speed_ratio(double time_now, double utilisation_now, double time_before,
                           double utilisation_before);

/// What the control beside a case shows of it.
enum class ControlCheck {
  kHolds,    ///< as fast as it was, as far as that is known
  kSlowed,   ///< slower than the machine's own: the case slows both
  kUnknown,  ///< slower, and others kept taking the core from this process, sooner than from the
             ///< machine's, which has just started
};

/// Whether the control beside this case is slower than when it was recorded by more than
/// `interference_limit` (relative), beyond what the machine's own (`machine`) lost since.
ControlCheck check_control(const Baseline& baseline, const WorkerReport& report,
                           const CeilingRates& machine, double interference_limit);

/// Why this session is no basis for a baseline: others disturbed most of its processes. Nothing
/// where they did not.
std::optional<std::string> why_unfit_to_record(const std::vector<WorkerReport>& reports);

}  // namespace perfgate
