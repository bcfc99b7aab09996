#include "perfgate/gate/bisection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace perfgate {
namespace {

constexpr std::array<double, 3> kBlocks = {2, 8, 32};  // pairs that one may think ahead
// Gauss and Hermite's rule of 9 nodes for a standard normal (M. Abramowitz and I. A. Stegun,
// "Handbook of Mathematical Functions", table 25.10): positive nodes times the square root of two,
// weights over that of pi.
struct Node {
  double at;
  double weight;
};
constexpr std::array<Node, 9> kNodes = {{{0, 0.40634920634920634},
                                         {1.0232556637891326, 0.24409750289493900},
                                         {-1.0232556637891326, 0.24409750289493900},
                                         {2.0768479786778302, 0.049916406765217969},
                                         {-2.0768479786778302, 0.049916406765217969},
                                         {3.2054290028564703, 0.0027891413212317675},
                                         {-3.2054290028564703, 0.0027891413212317675},
                                         {4.5127458633997826, 0.000022345844007746585},
                                         {-4.5127458633997826, 0.000022345844007746585}}};
// Fewer bits a pair than this are rounding.
constexpr double kLeastScore = 1e-9;
constexpr double kNegligible = 1e-12;

struct Choice {
  double score = 0;
  std::size_t before = 0;
  std::size_t now = 0;
};

// Of all pairs of marks, or of those with `one` in them, the best.
Choice best_pair(const FirstSlowData& data, double variance, double cost, const std::size_t* one) {
  const auto states = data.weighed_levels();
  const auto& marks = data.marks();
  Choice out;
  for (std::size_t before = 0; before < marks.size(); ++before) {
    for (std::size_t now = before + 1; now < marks.size(); ++now) {
      if (one != nullptr && marks[before] != *one && marks[now] != *one) {
        continue;
      }
      for (const double pairs : kBlocks) {
        const double bits =
            information_bits(states, marks.size() - 1, before, now, variance, pairs);
        const double score = bits / (pairs + cost);
        if (score > out.score) {
          out = {score, marks[before], marks[now]};
        }
      }
    }
  }
  return out;
}

}  // namespace

BisectionRule bisection_rule(const Policy& policy, double tolerance, const VariancePrior& noise) {
  const auto& bisect = policy.paired.bisect;
  BisectionRule out;
  out.prior.several = bisect.several;
  out.prior.tolerance = tolerance;
  out.prior.noise = noise;
  out.confidence = bisect.confidence;
  out.build_cost_pairs = bisect.build_cost_pairs;
  out.most_pairs = static_cast<std::size_t>(bisect.most_pairs);
  return out;
}

double information_bits(const std::vector<WeighedLevels>& states, std::size_t gaps,
                        std::size_t before, std::size_t now, double variance, double pairs) {
  std::map<double, std::vector<double>>
      classes;  // by predicted mean: mass of each gap, and of none
  std::vector<double> of_gap(gaps + 1, 0);
  const double error = std::sqrt(variance / pairs);
  for (const auto& state : states) {
    if (state.mass < kNegligible) {
      continue;
    }
    // Means that differ by a tenth of a standard error are taken for the same.
    const double mean = state.delta * (state.levels[now] - state.levels[before]) / error;
    auto& masses = classes.try_emplace(std::round(mean * 10) / 10, gaps + 1, 0.0).first->second;
    masses[state.first_gap] += state.mass;
    of_gap[state.first_gap] += state.mass;
  }
  double out = 0;
  std::vector<double> here(gaps + 1);
  for (const auto& [center, masses] : classes) {
    for (const auto& node : kNodes) {
      const double at = center + node.at;
      std::fill(here.begin(), here.end(), 0.0);
      double all = 0;
      for (const auto& [mean, other] : classes) {
        const double density = std::exp(-(at - mean) * (at - mean) / 2);
        for (std::size_t gap = 0; gap <= gaps; ++gap) {
          here[gap] += other[gap] * density;
          all += other[gap] * density;
        }
      }
      for (std::size_t gap = 0; gap <= gaps; ++gap) {
        if (masses[gap] > 0 && here[gap] > 0) {
          out += masses[gap] * node.weight * std::log(here[gap] / of_gap[gap] / all);
        }
      }
    }
  }
  return std::max(out, 0.0) / std::numbers::ln2;
}

void Bisection::add(std::size_t before, std::size_t now, std::span<const double> differences) {
  data_.add(before, now, differences);
}

std::size_t Bisection::most_builds() const {
  const std::size_t candidates = data_.marks().back() - data_.marks().front();
  std::size_t out = 2 + skipped_.size();
  for (std::size_t left = 1; left < candidates; left *= 2) {
    ++out;
  }
  return out;
}

// What can be made nearest to the middle; nothing, or one.
std::vector<std::size_t> Bisection::middle_of(const Gap& gap) const {
  const std::size_t middle = gap.after + gap.size() / 2;
  for (std::size_t off = 0; off < gap.size(); ++off) {
    for (const std::size_t build : {middle + off, middle - off}) {
      if (build > gap.after && build < gap.last && skipped_.count(build) == 0) {
        return {build};
      }
    }
  }
  return {};
}

BisectionStep Bisection::next() const {
  using Kind = BisectionStep::Kind;
  const FirstSlow now = posterior();
  const std::size_t best = now.best();
  const Gap gap = now.gaps[best];
  const auto middle = middle_of(gap);
  if (now.none >= rule_.confidence) {
    return {Kind::kNone};
  }
  if (now.mass[best] >= rule_.confidence && middle.empty()) {
    return gap.size() == 1 ? BisectionStep{Kind::kFound}
                           : BisectionStep{Kind::kUndecided, gap.after, gap.last, true};
  }
  if (pairs() + kPairsOfAStep > rule_.most_pairs) {
    return {Kind::kUndecided};
  }
  const double variance = data_.variance();
  Choice choice = best_pair(data_, variance, 0, nullptr);
  if (!middle.empty() && made().size() + skipped_.size() < most_builds()) {
    FirstSlowData with_it = data_;
    with_it.mark(middle.front());
    const Choice other = best_pair(with_it, variance, rule_.build_cost_pairs, &middle.front());
    choice = other.score > choice.score ? other : choice;
  }
  if (choice.score < kLeastScore) {
    return {Kind::kUndecided, gap.after, gap.last, true};
  }
  return {Kind::kMeasure, choice.before, choice.now};
}

}  // namespace perfgate
