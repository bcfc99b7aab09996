#pragma once
// Where a series of nights has changed its level, for people who look back: the CUSUM of
// gate/cusum.h, of slowdowns and of their mirror image. Each finding ends a level, and the next one
// begins there. No night is compared with a baseline, and the noise is the nights' own.

#include <cstddef>
#include <span>
#include <vector>

namespace perfgate {

/// The indices at which a new level begins, ascending; none in a series of fewer than six nights. A
/// level has three nights at least, and a single night that is far out is none. `changes`: in logs.
/// `alpha`: about the probability to find one in a series that has none; of 0.001, one to two in a
/// thousand such series of normal noise.
std::vector<std::size_t> level_changes(std::span<const double> changes, double alpha);

}  // namespace perfgate
