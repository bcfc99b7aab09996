#include "perfgate/gate/outcome.h"

#include <algorithm>

namespace perfgate {

const Judgement* Outcome::deciding() const {
  const auto decides_before = [this](const Judgement& a, const Judgement& b) {
    const bool a_says_so = a.verdict == verdict;
    return a_says_so == (b.verdict == verdict) ? a.mde < b.mde : a_says_so;
  };
  const auto found = std::min_element(judgements.begin(), judgements.end(), decides_before);
  return found == judgements.end() ? nullptr : &*found;
}

const Judgement* Outcome::of_time() const {
  const auto* net_time = judgement_of(kNetTime);
  return judgement_of(kCycles) != nullptr && net_time != nullptr ? net_time : deciding();
}

const Judgement* Outcome::judgement_of(const std::string& metric) const {
  const auto found =
      std::find_if(judgements.begin(), judgements.end(),
                   [&](const Judgement& judgement) { return judgement.metric == metric; });
  return found == judgements.end() ? nullptr : &*found;
}

}  // namespace perfgate
