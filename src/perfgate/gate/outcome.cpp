#include "perfgate/gate/outcome.h"

#include <algorithm>
#include <tuple>

namespace perfgate {

namespace {

// What a person wants to know first: what has the case's own verdict, then what says how fast it
// is, then what sees most.
bool comes_first(const Judgement& a, const Judgement& b, Verdict of_case) {
  const auto rank = [of_case](const Judgement& judgement) {
    return std::tuple(judgement.verdict != of_case, stands_beside_time(judgement.metric.quantity),
                      judgement.mde);
  };
  return rank(a) < rank(b);
}

template <class Wanted>
const Judgement* deciding_of(const Outcome& outcome, const Wanted& is_wanted) {
  const Judgement* out = nullptr;
  for (const auto& judgement : outcome.judgements) {
    if (!is_wanted(judgement)) {
      continue;
    }
    if (out == nullptr || comes_first(judgement, *out, outcome.verdict)) {
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

const Judgement* Outcome::steadiest(Phase phase) const { return steadiest_of(judgements, phase); }

const Judgement* Outcome::judgement_of(Metric metric) const {
  const auto found =
      std::find_if(judgements.begin(), judgements.end(),
                   [&](const Judgement& judgement) { return judgement.metric == metric; });
  return found == judgements.end() ? nullptr : &*found;
}

}  // namespace perfgate
