#pragma once
// When a comparison of two builds stops, and what it says then. Both are measured in pairs of fresh
// processes. Looking at the pairs again and again until a difference is significant finds one
// between equal builds sooner or later; here the error probabilities are shared among the looks.
//
// d  = mean of the pairs' differences, in logs, positive when the new build is slower
// SE = sqrt(variance / pairs), the variance being the case's own, shrunk toward its class
//      (stats/moderation.h), with the degrees of freedom of both
// At a look that has the share w of the error probabilities:
//   q = Student's t at w alpha, z = Student's t at w (1 - the policy's detection probability)
//   REGRESSED when d > tolerance and d > q SE; IMPROVED mirrors it; both end the comparison
//   PASS      ends it when |d| + z SE < tolerance
// Otherwise there are more pairs, up to the limit.
//
// The shares: alpha is spent in proportion to the pairs that have been measured (the spending
// function alpha t of K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical
// trials", Biometrika 70(3), 1983). Each look spends its own increment by itself, and the sum over
// the looks bounds the whole (Bonferroni): this needs no joint distribution of the looks, which is
// not known where variances are moderated, and errs toward fewer alarms. The probability to miss a
// slowdown is shared in the same way (S. Pampallona, A. A. Tsiatis and K. Kim, "Interim monitoring
// of group sequential trials using spending functions for the type I and type II error
// probabilities", Drug Inf. J. 35, 2001), so that one of the MDE is found with the policy's over
// all looks.

#include <vector>

#include "perfgate/gate/metric_finding.h"
#include "perfgate/stats/moderation.h"

namespace perfgate {

/// One look at a comparison.
struct PairedLook {
  int pairs = 0;     ///< that have been measured by then
  double share = 0;  ///< of the error probabilities that it may spend
};

/// Looks at `first` pairs, at twice as many and so on, and at `limit`; only at `limit` where that
/// is not more than `first`. Their shares add up to 1. Both are at least 2.
std::vector<PairedLook> paired_looks(int first, int limit);

/// What a comparison goes by.
struct PairedRule {
  double alpha = 0;      ///< of one metric, over all looks: to call it slower though it is not
  double detection = 0;  ///< probability with which a slowdown of the MDE is found
  double tolerance = 0;  ///< relative; the slowdown that is ignored, however certain
};

/// What is said of one metric: PASS, REGRESSED or IMPROVED. Values are geometric means; the MDE is
/// of all pairs up to the limit, the threshold and its alpha are of this look.
struct PairedJudgement : MetricFinding {
  bool decided = false;  ///< more pairs are not needed; always so at the limit
  int pairs = 0;         ///< that have the metric on both sides
  double lowest = 0;     ///< relative; the change's 95 % interval, which holds at whichever look
  double highest = 0;    ///< the comparison stopped (repeated confidence interval, C. Jennison and
                         ///< B. W. Turnbull, J. R. Stat. Soc. B 51(3), 1989)
};

/// What the pairs of a case say of a metric.
struct PairedDifferences {
  std::vector<double> logs;  ///< a pair each, positive where the newer build is slower
  double before = 0;         ///< geometric means, in the metric's unit
  double now = 0;
};

/// Judges the pairs of one metric. `differences`: a pair each, of logs, positive where the new
/// build is slower; at least one. `looks`: all of the comparison, of which `look` is the present
/// one.
PairedJudgement judge_pairs(const std::vector<double>& differences, const VariancePrior& prior,
                            const PairedRule& rule, const std::vector<PairedLook>& looks,
                            std::size_t look);

}  // namespace perfgate
