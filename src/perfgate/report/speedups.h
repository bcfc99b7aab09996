#pragma once
// How much faster one implementation is than another that it names: shown with its spread and never
// judged, for both sides are. By the measurement that is steadiest for such a pair, and the spread
// is that measurement's own: host time in one and not in the other would tell of neither kernel.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/outcome.h"

namespace perfgate {

struct Speedup {
  std::string case_key;  ///< with the phase, where it has parts
  std::string over;      ///< the case that it is compared with
  Metric metric;         ///< what the ratio is of
  double ratio = 0;      ///< above 1 is faster
  /// Relative, 95 %: between tonight's processes, or as the judge allows a single one. Nothing
  /// where a single one's metric was not judged.
  std::optional<double> half_width;
};

/// One entry a phase of a case that names another, where both were measured; in order of the
/// outcomes. The
/// ratio is of busy time where either body is launch-bound, so that launching is part of its other
/// times; else of net time; where there is none, as on a CPU, of the utilisation of the same
/// traffic, which leaves a machine that drifts out; else of time as read.
std::vector<Speedup> speedups(const std::vector<Outcome>& outcomes);

/// The entries as lines, by shape where there are several, or an empty string.
std::string speedups_text(const std::vector<Outcome>& outcomes);

}  // namespace perfgate
