#pragma once
// Two builds of one case, measured in pairs on one device, and what is said of the second: pure. No
// baseline is needed, and nothing between devices or days is in the difference of a pair.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/paired_control.h"
#include "perfgate/gate/paired_rule.h"
#include "perfgate/gate/policy.h"
#include "perfgate/gate/verdict.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// What the processes of both builds reported of one case, one of each a pair, in the order of the
/// pairs.
struct PairedReports {
  std::string case_key;
  std::vector<WorkerReport> before;
  std::vector<WorkerReport> now;
};

/// What is said of one case.
struct PairedOutcome {
  Verdict verdict = Verdict::kError;
  std::string message;  ///< why, where the judgements do not say it
  /// It says nothing of the new build that a run could pass by: it failed before as well, or both
  /// builds measure it otherwise.
  bool incomparable = false;
  bool decided = true;  ///< more pairs are not needed
  std::vector<PairedJudgement> judgements;

  /// The judgement that decided: of those with the case's verdict the largest change, of cases that
  /// pass the least MDE. Null where nothing was judged.
  [[nodiscard]] const PairedJudgement* deciding() const;
  /// As steadiest_of (gate/outcome.h).
  [[nodiscard]] const PairedJudgement* steadiest(Phase phase) const;
};

/// What this outcome alone would make the process exit with.
ExitCode exit_code_of(const PairedOutcome& outcome);

/// What the outcomes add up to: kSkipped where nothing was judged, kRefused where more than
/// `blind_share` of what was judged is BLIND.
ExitCode exit_code_of(const std::vector<PairedOutcome>& outcomes, double blind_share);

/// What the pairs of a case say of a metric.
struct PairedDifferences {
  std::vector<double> logs;  ///< a pair each, positive where the newer build is slower
  double before = 0;         ///< geometric means, in the metric's unit
  double now = 0;
};

/// Of the pairs that have the metric on both sides, and positive.
PairedDifferences paired_differences(const PairedReports& reports, Metric metric);

/// One judged metric of a case.
struct PairedSeries {
  Metric metric;
  MetricRecord description;
  PairedDifferences differences;
};

/// A case ready to be judged.
struct PairedCase {
  std::vector<PairedSeries> series;  ///< empty where it cannot be judged
  PairedOutcome unjudged = {};       ///< why then
  /// What it does otherwise than before, whatever it takes: it waits for the host.
  std::string waits_now = {};
  /// Of phases that are judged by the ratio to a control.
  std::map<Phase, ControlledPhase> controlled = {};
  std::map<Phase, PairedDifferences> times = {};  ///< of the same phases
};

/// Which metrics are judged, as the older build's first processes propose and the rules of a
/// baseline choose (gate/choose_metric.h), but not the SM's cycles, which the time of a pair says
/// as well, and not what compiling took, which no process repeats. Of host passes both are judged
/// where the host decides in either build (gate/paired_host.h). `reports`: at least one pair.
PairedCase paired_case(const PairedReports& reports, const Policy& policy);

/// How noisy the pairs of a class are before a case's own are looked at.
class PairedPriors {
 public:
  /// Fitted over all of tonight's metrics of a class with one statistic, where the policy's
  /// `fit_cases` or more of them vary. Else what the policy knows of the class between sessions, by
  /// the variance that one process has if a session varies by its processes alone, and twice that,
  /// for a pair has two. That is worth no more degrees than the policy says of the device's kind.
  PairedPriors(const std::vector<PairedCase>& cases, const Policy& policy,
               const std::string& device_kind);
  [[nodiscard]] VariancePrior of(const MetricRecord& description) const;

 private:
  const Policy& policy_;
  double most_degrees_;  // of what the policy knows
  std::map<std::pair<std::string, Statistic>, VariancePrior> fitted_;
};

/// What judging takes beside a case.
struct PairedContext {
  const Policy& policy;
  std::string device_kind;
  const PairedPriors& priors;
  std::vector<PairedLook> looks;
  std::size_t look = 0;     ///< the present one of them
  std::size_t metrics = 1;  ///< that share the false-alarm budget
};

/// Judges one case at a look.
PairedOutcome judge_paired(const PairedCase& paired, const PairedContext& context);

/// The kernels of a phase by the first of these reports that traced it; else none.
const std::vector<KernelRecord>& traced_kernels(const std::vector<WorkerReport>& reports,
                                                Phase phase);

}  // namespace perfgate
