#pragma once
// The other cases of a kind in one night, which tell what the device does to all of them.

#include <map>
#include <optional>
#include <string>

#include "perfgate/gate/case_group.h"
#include "perfgate/gate/change.h"

namespace perfgate {

/// What tonight's device does to a case, by the case's siblings.
struct TonightsEffect {
  double value = 0;     ///< in logs, positive when slower
  double variance = 0;  ///< of that
  int siblings = 0;
};

/// How far the cases of one night lie from their references less effects.
class SiblingChanges {
 public:
  void add(const CaseGroup& group, const std::string& case_key, LogChange change);
  /// Whether the case is among them.
  [[nodiscard]] bool has(const CaseGroup& group, const std::string& case_key) const;
  /// The median of the others. Nothing where they are fewer than `least`.
  [[nodiscard]] std::optional<TonightsEffect> beside(const CaseGroup& group,
                                                     const std::string& case_key, int least) const;

 private:
  std::map<CaseGroup, std::map<std::string, double>> changes_;
};

}  // namespace perfgate
