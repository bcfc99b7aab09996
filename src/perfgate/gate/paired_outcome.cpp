#include "perfgate/gate/paired_outcome.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace perfgate {

const PairedJudgement* PairedOutcome::deciding() const {
  // Smaller comes first. What passes is known by its device's time, whatever is known of its host.
  const auto rank = [this](const PairedJudgement& judgement) {
    const bool changed = judgement.verdict != Verdict::kPass && verdict != Verdict::kBlind;
    return std::tuple(judgement.verdict != verdict,
                      !changed && stands_beside_time(judgement.metric.quantity),
                      changed ? -std::abs(judgement.change) : judgement.mde);
  };
  const auto first =
      std::min_element(judgements.begin(), judgements.end(),
                       [&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return first == judgements.end() ? nullptr : &*first;
}

const PairedJudgement* PairedOutcome::steadiest(Phase phase) const {
  return steadiest_of(judgements, phase);
}

}  // namespace perfgate
