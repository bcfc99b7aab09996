#pragma once
// Where a series has changed its level: binary segmentation with Student's t, after A. J. Scott and
// M. Knott, "A cluster analysis method for grouping means in the analysis of variance",
// Biometrics 30 (1974). A single value that is far out is no level.

#include <cstddef>
#include <span>
#include <vector>

namespace perfgate {

/// The indices at which a new level begins, ascending; none in a series of fewer than six values. A
/// level has three values at least. `alpha`: the probability to find one in a series that has none.
/// The noise is estimated from differences between neighbours (their median), which a change of
/// level hardly touches.
std::vector<std::size_t> change_points(std::span<const double> values, double alpha);

}  // namespace perfgate
