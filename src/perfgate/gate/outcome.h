#pragma once
// One case after the gate: its verdict, why, and everything it was decided from.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/gate/judgement.h"
#include "perfgate/gate/verdict.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// What a refresh did with a case.
enum class Recorded { kNot, kFirst, kSession, kRevision, kRefused };
template <>
inline constexpr EnumNames<Recorded, 5> kNames<Recorded> = {{{Recorded::kNot, "no"},
                                                             {Recorded::kFirst, "first"},
                                                             {Recorded::kSession, "session"},
                                                             {Recorded::kRevision, "revision"},
                                                             {Recorded::kRefused, "refused"}}};

struct Outcome {
  std::string case_key;
  std::string device_id;  ///< the physical device that it ran on
  Verdict verdict = Verdict::kError;
  std::string message;  ///< why, where the judgements do not say it
  /// One a judged metric; empty when nothing was judged. MACHINE_INVALID with some is a change that
  /// others on the machine explain.
  std::vector<Judgement> judgements;
  /// What of its host passes was not judged, and why: all else of it may have been.
  std::map<Metric, std::string> not_judged = {};
  std::vector<WorkerReport> reports;  ///< every worker, the screening one first
  Recorded recorded = Recorded::kNot;
  /// Nothing could judge it for more nights than the policy allows: it fails by its name.
  bool overdue = false;
  /// NO_BASELINE of a case that is recorded, under a protocol that perfgate no longer has: somebody
  /// has to record it anew, and until then it is not judged.
  bool other_protocol = false;
  /// File with what differs in its kernels' sources, or why there is none; empty: nothing does.
  std::string source_diff = {};
  /// Judged by a local baseline of fewer sessions than the policy's `known_device_sessions`.
  bool learning = false;

  /// A refresh put it into the baseline: its verdict says what it found, not that anything failed.
  [[nodiscard]] bool accepted() const {
    return recorded != Recorded::kNot && recorded != Recorded::kRefused;
  }

  /// The judgement that decided: of those with the case's own verdict, else of all, the one that
  /// has the least MDE. Null where nothing was judged.
  [[nodiscard]] const Judgement* deciding() const;
  /// The same of one phase.
  [[nodiscard]] const Judgement* deciding(Phase phase) const;
  /// As steadiest_of.
  [[nodiscard]] const Judgement* steadiest(Phase phase) const;

  /// Its judgement of a metric, or null.
  [[nodiscard]] const Judgement* judgement_of(Metric metric) const;
};

}  // namespace perfgate
