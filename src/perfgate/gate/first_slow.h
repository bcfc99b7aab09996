#pragma once
// Which of a sequence of builds is the first slow one: a posterior over the builds, from pairs of
// fresh processes of some of them. A bisection that takes each comparison for certain is lost with
// its first error; here every pair counts until the end, and an early error is corrected.
//
// The difference of a pair of builds i < j, in logs, is normal with the mean
// delta (level(j) - level(i)) and the variance s^2. The levels go from 0, of the oldest build, to
// 1, of the newest:
//   none     delta = 0
//   one      0 before build k, 1 from k on
//   several  0 before k1, f from k1 on, 1 from k2 on; f = 1/4, 1/2, 3/4, or outside of 0 to 1 where
//            one of the changes is for the better. What is more complicated is found as the nearest
//            of these.
// A priori each k, each pair k1 < k2 and each f is as likely as another, and so is each order of
// magnitude of delta (log-uniform) from half the tolerance to a hundredfold time; s^2 has the
// scaled inverse chi-squared prior that a paired comparison shrinks its variance toward
// (stats/moderation.h). Given a hypothesis and delta, s^2 is integrated in closed form: the
// likelihood is (d0 s0^2 + SS)^(-(d0 + n) / 2), SS being the sum of squares around the means (A.
// Gelman et al., "Bayesian Data Analysis", 3rd ed. 2013, section 3.2). delta is integrated
// numerically.
//
// A build is slow where it is slower than its predecessor by half the tolerance or more. Where of
// two changes neither or the second alone is so large, the larger one is meant.

#include <cstddef>
#include <span>
#include <vector>

#include "perfgate/stats/moderation.h"

namespace perfgate {

/// What is known beforehand.
struct FirstSlowPrior {
  double none = 0.5;     ///< probability that no build is slow
  double several = 0;    ///< of the rest, that the builds change at two places
  double tolerance = 0;  ///< relative slowdown
  VariancePrior noise;   ///< of a pair's difference, in logs
};

/// The builds between two that were measured, as places of the first slow one: (after, last].
struct Gap {
  std::size_t after = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const { return last - after; }
};

/// A relative change with its 95 % interval.
struct ChangeEstimate {
  double change = 0;
  double lowest = 0;
  double highest = 0;
};

/// The posterior by the gaps that the measured builds leave. Within a gap each build is as likely
/// as another.
struct FirstSlow {
  double none = 1;
  std::vector<Gap> gaps;
  std::vector<double> mass;             ///< of each gap: the first slow build is there
  std::vector<ChangeEstimate> changes;  ///< of each gap: what the first slow build adds, if there
  /// Of each gap: the probability, if the first slow build is there, that another gap has a change
  /// of half the tolerance or more.
  std::vector<double> another;

  /// The gap of the largest mass.
  [[nodiscard]] std::size_t best() const;
};

/// A state of the builds and how likely it is, as far as the marks can tell it from others.
struct WeighedLevels {
  double mass = 0;
  std::size_t first_gap = 0;   ///< of the first slow build; the number of gaps: none is slow
  double delta = 0;            ///< mean, in logs
  std::vector<double> levels;  ///< of each mark
};

/// What was measured of a sequence of builds.
class FirstSlowData {
 public:
  /// `builds`: at least two, oldest first.
  FirstSlowData(std::size_t builds, const FirstSlowPrior& prior);

  /// Pairs of two builds, before < now; logs, positive where `now` is slower.
  void add(std::size_t before, std::size_t now, std::span<const double> differences);

  /// Splits a gap at this build, of which nothing need be measured.
  void mark(std::size_t build);

  /// Throws std::logic_error unless the first and last mark were compared with each other.
  [[nodiscard]] FirstSlow posterior() const;
  /// The same in full: what each state of the levels predicts.
  [[nodiscard]] std::vector<WeighedLevels> weighed_levels() const;
  /// Variance of a pair's difference as it is estimated now: around the likeliest levels.
  [[nodiscard]] double variance() const;

  /// Builds that are marked or measured, in order; the first and the last are the ends.
  [[nodiscard]] const std::vector<std::size_t>& marks() const { return marks_; }
  [[nodiscard]] std::size_t pairs() const;

 private:
  struct Pairs {  // of the same two builds
    std::size_t before = 0;
    std::size_t now = 0;
    double count = 0;
    double sum = 0;
    double squares = 0;
  };
  struct Hypothesis;
  struct Point;
  [[nodiscard]] std::vector<Hypothesis> hypotheses() const;
  [[nodiscard]] std::vector<Point> integrate() const;

  FirstSlowPrior prior_;
  std::vector<std::size_t> marks_;
  std::vector<Pairs> pairs_;
};

}  // namespace perfgate
