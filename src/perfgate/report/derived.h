#pragma once
// Measurements derived from others, a mean over shapes, say. Shown with their spread and never
// judged, for their parts are.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/report/wording.h"

namespace perfgate {

struct MeanOverShapes {
  std::string group;  ///< the cases' key without its shape word, as in gpt_fast/gemv/int8/compiled
  Rate mean;
  double lowest = 0;
  double highest = 0;
  int shapes = 0;
};

/// One entry a group with at least two measured shapes, in key order.
std::vector<MeanOverShapes> means_over_shapes(const std::vector<Outcome>& outcomes);

struct PublishedValue {
  double value = 0;
  Unit unit = Unit::kGbPerS;
};

/// Targets that somebody else published for a device: shown, never judged.
struct Published {
  std::string device;
  std::string source;
  /// By the key of a mean over shapes, or of a case's phase.
  std::map<std::string, std::vector<PublishedValue>> values;
};

/// The means and the speed-ups (speedups.h) as lines, or an empty string.
std::string derived_text(const std::vector<Outcome>& outcomes);

/// Others' published values for the same groups, each file's in one block; empty when none applies.
std::string published_text(const std::vector<Outcome>& outcomes,
                           const std::vector<Published>& published);

}  // namespace perfgate
