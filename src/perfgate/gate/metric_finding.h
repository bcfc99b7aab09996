#pragma once
// What is found of one metric, whatever it is compared with: a baseline (gate/judgement.h), or
// another build (gate/paired_rule.h).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/gate/verdict.h"
#include "perfgate/model/metric.h"

namespace perfgate {

/// Changes are relative: +0.026 is 2.6 % slower.
struct MetricFinding {
  Metric metric;
  Verdict verdict = Verdict::kPass;
  double change = 0;
  double mde = 0;        ///< the smallest slowdown that is found with the policy's probability;
                         ///< kAnything: none that anybody could have
  double tolerance = 0;  ///< the slowdown that is ignored, however certain
  double threshold = 0;  ///< what the change had to exceed; kAnything: that at least
  double p_value = 0;    ///< one-sided, of a change this large by noise alone
  double alpha = 0;      ///< the share of the false-alarm budget that p_value is compared with
  double now = 0;        ///< in the metric's unit
  double before = 0;     ///< what that is compared with
};

/// Whether a metric stands beside what says how fast a case is: memory, and host passes. It decides
/// what is said of a case only where nothing else does.
bool stands_beside_time(Quantity quantity);

/// Of these findings the one of the phase with the least MDE: of its device's time where that is
/// judged. Null where nothing of it is.
template <class AnyFinding>
const AnyFinding* steadiest_of(const std::vector<AnyFinding>& findings, Phase phase) {
  const AnyFinding* out = nullptr;
  const auto rank = [](const MetricFinding& finding) {
    return std::pair(stands_beside_time(finding.metric.quantity), finding.mde);
  };
  for (const auto& finding : findings) {
    if (finding.metric.phase == phase && (out == nullptr || rank(finding) < rank(*out))) {
      out = &finding;
    }
  }
  return out;
}

/// Why a phase whose steadiest finding this is has not passed, whatever was found: a slowdown
/// that the policy does not allow to be missed could have been. Nothing where its MDE is at most
/// `allowed`.
std::optional<std::string> why_blind(const MetricFinding& steadiest, double allowed);

}  // namespace perfgate
