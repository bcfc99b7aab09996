#include "perfgate/gate/outcome.h"

#include <algorithm>

namespace perfgate {

namespace {

// Of those with the case's own verdict before the others, the one of least MDE.
template <class Wanted>
const Judgement* deciding_of(const Outcome& outcome, const Wanted& is_wanted) {
  const Judgement* out = nullptr;
  for (const auto& judgement : outcome.judgements) {
    if (!is_wanted(judgement)) {
      continue;
    }
    const bool says_so = judgement.verdict == outcome.verdict;
    if (out == nullptr ||
        (says_so == (out->verdict == outcome.verdict) ? judgement.mde < out->mde : says_so)) {
      out = &judgement;
    }
  }
  return out;
}

}  // namespace

const Judgement* Outcome::deciding() const {
  return deciding_of(*this, [](const Judgement&) { return true; });
}

const Judgement* Outcome::deciding(Phase phase) const {
  return deciding_of(
      *this, [phase](const Judgement& judgement) { return judgement.metric.phase == phase; });
}

const Judgement* Outcome::of_time(Phase phase) const {
  const auto* net_time = judgement_of(kNetTime.in(phase));
  return judgement_of(kCycles.in(phase)) != nullptr && net_time != nullptr ? net_time
                                                                           : deciding(phase);
}

const Judgement* Outcome::judgement_of(Metric metric) const {
  const auto found =
      std::find_if(judgements.begin(), judgements.end(),
                   [&](const Judgement& judgement) { return judgement.metric == metric; });
  return found == judgements.end() ? nullptr : &*found;
}

}  // namespace perfgate
