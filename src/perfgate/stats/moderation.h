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

/// Smyth's moment fit to the log variances of one class (section 6.2). Entries without degrees of
/// freedom, or with a variance of 0, are left out. `max_degrees` caps what the prior may claim to
/// know: with equal variances by chance the fit itself says infinity.
/// Throws std::invalid_argument when fewer than two entries remain.
VariancePrior fit_variance_prior(std::span<const SumOfSquares> variances, double max_degrees);

/// The y with trigamma(y) = x, by Newton's method as in Smyth's appendix; x above 0.
double trigamma_inverse(double x);

}  // namespace perfgate
