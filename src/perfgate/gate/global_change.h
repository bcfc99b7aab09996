#pragma once
// One test over all cases of a family and class: a device whose clock is lower, or a library that
// dispatches slower, slows all of them by less than any of them shows alone. On one device the
// median of their changes is much steadier than each of them.
//
// m   = median of the changes of the group's cases tonight, in logs, positive when slower
// M_s = the same median of a recorded session s against the other sessions of its device, each case
//       by as many of its processes as tonight's; b is their mean, s^2 their variance
// SE  = s sqrt(1 + 1 / the device's own reference sessions)
// The tolerance is the policy's, or the median of the cases' own where that is larger.
// REGRESSED when m - b > tolerance and m - b > q SE, q being Student's t at the group's share of
// the false-alarm budget: a group counts as one more metric. IMPROVED mirrors it. A group that is
// neither is BLIND where its MDE is larger than a case's may be: it could hardly have failed, so it
// has not passed.

#include <set>
#include <string>
#include <vector>

#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// What a group of cases shows together.
struct GlobalChange {
  std::string family;
  std::string variance_class;
  Metric metric;
  Verdict verdict = Verdict::kPass;  ///< PASS, REGRESSED, IMPROVED, BLIND or MACHINE_INVALID
  int cases = 0;
  double change = 0;      ///< relative; the median, less what recorded sessions differ by anyway
  double half_width = 0;  ///< relative; 95 % confidence half-width of the change
  double threshold = 0;   ///< relative; what the change had to exceed
  double mde = 0;      ///< relative; smallest slowdown of all caught with the policy's probability
  double p_value = 0;  ///< one-sided, of a change this large by noise alone
  double alpha = 0;    ///< what p_value is compared with
  int sessions = 0;    ///< recorded ones that say how far a median lies from nothing
};

/// Whether the group was found slower or faster, by the device or by whoever else used it.
constexpr bool is_found(const GlobalChange& change) {
  return change.verdict != Verdict::kPass && change.verdict != Verdict::kBlind;
}

/// One judged metric of a case, as tonight has it.
struct NightChange {
  std::string case_key;
  Metric metric;
  LogChange change;
  int processes = 0;  ///< of which tonight's value is made
  int sessions = 0;   ///< of this device, that it was compared with
};

/// What the judge said of the cases that were compared with the device's own sessions. None of a
/// device that others may have used.
std::vector<NightChange> night_changes(const std::vector<Outcome>& outcomes);

/// Every group of which the baseline has sessions enough to say how steady it is. `night`: of one
/// device; its cases and metrics are in the baseline.
std::vector<GlobalChange> global_changes(const Judge& judge, const std::vector<NightChange>& night);

/// The groups that these cases make, each of which takes a share of the false-alarm budget; without
/// any case, those of the whole baseline.
std::size_t number_of_groups(const Baseline& baseline, const Policy& policy,
                             const std::set<std::string>& cases);

}  // namespace perfgate
