#pragma once
// Moderated variances. Three sessions of one case say almost nothing of its noise; hundreds of
// cases of one class together say a lot. limma's empirical Bayes (G. K. Smyth, "Linear models and
// empirical Bayes methods for assessing differential expression in microarray experiments",
// Stat. Appl. Genet. Mol. Biol. 3(1), 2004) draws each variance toward its class by as much as the
// class is alike. It prevents both the alarm on a case that was quiet by luck and the blindness on
// one that was loud by luck.

#include <span>

#include "perfgate/stats/descriptive.h"

namespace perfgate {

/// A scaled inverse chi-square prior: a typical variance, worth so many degrees of freedom.
struct VariancePrior {
  double variance = 0;
  double degrees = 0;
};

struct ModeratedVariance {
  double variance = 0;
  double degrees = 0;
};

/// The posterior: the two variances weighed by their degrees of freedom.
ModeratedVariance moderate(const SumOfSquares& own, const VariancePrior& prior);

struct PriorFit {
  VariancePrior prior;
  double log_likelihood = 0;  ///< with the penalty; comparable between fits of the same variances,
                              ///< also where one of them has each in a unit of its own
};

/// The likeliest prior under Smyth's model (section 3) of the variances of one class. Smyth fits
/// moments of log variances (section 6.2), which a variance of one or two degrees of freedom, near
/// 0 by chance, pulls anywhere; the likelihood gives each the weight that its degrees deserve.
/// High degrees are penalised by (1 + d0 / 3)^-2, which many cases outweigh and few do
/// not. Entries without degrees of freedom, or with a variance of 0, are left out. `max_degrees`,
/// at least 0.1, caps what the prior may claim to know.
/// Throws std::invalid_argument when fewer than two entries remain.
PriorFit fit_variance_prior(std::span<const SumOfSquares> variances, double max_degrees);

}  // namespace perfgate
