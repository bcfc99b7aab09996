#pragma once
// Which two builds a bisection measures next, and when it ends. A halving that goes on after a
// fixed number of measurements makes as many errors as the noise allows; measuring each build until
// it is certain takes longer than its doubts are worth. Here the next pair is the one that tells
// most for what it costs.
//
// What a comparison of two builds by n pairs tells is the mutual information of its mean and the
// first slow build's gap (D. V. Lindley, "On a measure of the information provided by an
// experiment", Ann. Math. Stat. 27(4), 1956), given the posterior means of delta and s^2. It costs
// n pairs, and where a build has to be made for it, as many more as could be measured meanwhile.
// The score is information over cost, of the best n.
//
// A new build is the middle of the likeliest gap, or what can be made next to it. No more builds
// are made than a bisection without noise would need; each that cannot be made allows another.

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "perfgate/gate/first_slow.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

struct BisectionRule {
  FirstSlowPrior prior;
  double confidence = 0;        ///< posterior probability with which it ends
  double build_cost_pairs = 0;  ///< what making a build costs
  std::size_t most_pairs = 0;   ///< after which what is undecided stays so
};

/// The policy's. `noise`: of a pair's difference, in logs.
BisectionRule bisection_rule(const Policy& policy, double tolerance, const VariancePrior& noise);

/// What to do next.
struct BisectionStep {
  enum class Kind {
    kMeasure,    ///< pairs of two builds
    kFound,      ///< the first slow build is gaps[best()].last
    kNone,       ///< no build is slow after all
    kUndecided,  ///< it may be one of several
  };
  Kind kind = Kind::kUndecided;
  std::size_t before = 0;  ///< the older of the two
  std::size_t now = 0;
  /// Of kUndecided: no build can be made between these any more. Else the limit is reached.
  bool exhausted = false;
};

/// Pairs that a step measures: one of the orders ABBA.
constexpr int kPairsOfAStep = 2;

class Bisection {
 public:
  /// `builds`: at least two, oldest first, of which both ends are made.
  Bisection(std::size_t builds, const BisectionRule& rule)
      : data_(builds, rule.prior), rule_(rule) {}

  /// Pairs of two builds, which are made thereby; see FirstSlowData. First the ends'.
  void add(std::size_t before, std::size_t now, std::span<const double> differences);
  /// This build cannot be made or measured.
  void skip(std::size_t build) { skipped_.insert(build); }

  [[nodiscard]] BisectionStep next() const;
  [[nodiscard]] FirstSlow posterior() const { return data_.posterior(); }
  /// Builds that were measured, and the pairs.
  [[nodiscard]] const std::vector<std::size_t>& made() const { return data_.marks(); }
  [[nodiscard]] std::size_t pairs() const { return data_.pairs(); }
  /// How many may be made, the ends and those that cannot be made included.
  [[nodiscard]] std::size_t most_builds() const;

 private:
  [[nodiscard]] std::vector<std::size_t> middle_of(const Gap& gap) const;

  FirstSlowData data_;
  BisectionRule rule_;
  std::set<std::size_t> skipped_;
};

/// Bits that so many pairs of two marks (by their places) tell of the first slow build's gap.
/// `gaps`: how many there are; `variance`: of a pair.
double information_bits(const std::vector<WeighedLevels>& states, std::size_t gaps,
                        std::size_t before, std::size_t now, double variance, double pairs);

}  // namespace perfgate
