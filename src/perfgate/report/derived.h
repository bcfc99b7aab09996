#pragma once
// Figures derived from others: a mean over shapes, a speed-up of one implementation over another.
// Shown with their spread and never judged, for their parts are.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/report/figures.h"

namespace perfgate {

struct MeanOverShapes {
  std::string group;  ///< the cases' key without its shape word, as in gpt_fast/gemv/int8/compiled
  Rate mean;
  double lowest = 0;
  double highest = 0;
  int shapes = 0;
};

/// The key without its shape word (`D8192`, `k2560`, `mn4096`, `512x64`), or nothing when it has
/// none.
std::optional<std::string> shape_group(const std::string& case_key);

/// One entry a group with at least two measured shapes, in key order.
std::vector<MeanOverShapes> means_over_shapes(const std::vector<Outcome>& outcomes);

struct Speedup {
  std::string case_key;
  std::string over;  ///< the case that it is compared with
  double ratio = 0;  ///< that one's time, as read, over this one's: above 1 is faster
  /// Relative, 95 %, between tonight's processes; nothing where one of the cases has only one.
  std::optional<double> half_width;
};

/// One entry a case that names another, where both were measured; in order of the outcomes.
std::vector<Speedup> speedups(const std::vector<Outcome>& outcomes);

/// The entries as lines, or an empty string.
std::string derived_text(const std::vector<Outcome>& outcomes);

/// Somebody else's figures for the same groups, each file's in one block; empty when none applies.
std::string published_text(const std::vector<Outcome>& outcomes,
                           const std::vector<Baseline>& published);

}  // namespace perfgate
