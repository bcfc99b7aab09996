#include "perfgate/gate/paired_rule.h"

#include <algorithm>
#include <cmath>

#include "perfgate/gate/change.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

constexpr double kOutsideOfInterval = 0.025;  // at either end

// What the limit's pairs would make of a variance that is known as well as it is now.
double detectable(const ModeratedVariance& variance, double pairs, const PairedRule& rule,
                  const PairedLook& last) {
  const double degrees = variance.degrees + last.pairs - pairs;
  const double error = std::sqrt(variance.variance / last.pairs);
  const double q = student_t_quantile(rule.alpha * last.share, degrees);
  const double z = student_t_quantile((1 - rule.detection) * last.share, degrees);
  return std::max(std::log1p(rule.tolerance), q * error) + z * error;
}

}  // namespace

std::vector<PairedLook> paired_looks(int first, int limit) {
  std::vector<PairedLook> out;
  int seen = 0;
  for (int pairs = std::min(first, limit); seen < limit; pairs = std::min(2 * pairs, limit)) {
    out.push_back({pairs, static_cast<double>(pairs - seen) / limit});
    seen = pairs;
  }
  return out;
}

PairedJudgement judge_pairs(const std::vector<double>& differences, const VariancePrior& prior,
                            const PairedRule& rule, const std::vector<PairedLook>& looks,
                            std::size_t look) {
  const double share = looks.at(look).share;
  const auto pairs = static_cast<double>(differences.size());
  const ModeratedVariance variance = moderate(deviations(differences), prior);
  const double d = mean(differences);
  const double error = std::sqrt(variance.variance / pairs);
  const auto errors = [&](double upper_tail) {
    return student_t_quantile(share * upper_tail, variance.degrees) * error;
  };
  const double tolerance = std::log1p(rule.tolerance);
  const double threshold = std::max(tolerance, errors(rule.alpha));

  PairedJudgement out;
  out.verdict = d > threshold    ? Verdict::kRegressed
                : d < -threshold ? Verdict::kImproved
                                 : Verdict::kPass;
  out.decided = out.verdict != Verdict::kPass || look + 1 == looks.size() ||
                std::abs(d) + errors(1 - rule.detection) < tolerance;
  out.pairs = static_cast<int>(differences.size());
  out.change = relative({d});
  out.lowest = relative({d - errors(kOutsideOfInterval)});
  out.highest = relative({d + errors(kOutsideOfInterval)});
  out.mde = relative({detectable(variance, pairs, rule, looks.back())});
  out.tolerance = rule.tolerance;
  out.threshold = relative({threshold});
  out.p_value = student_t_upper_tail(std::abs(d) / error, variance.degrees);
  out.alpha = share * rule.alpha;
  return out;
}

}  // namespace perfgate
