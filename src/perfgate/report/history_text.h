#pragma once
// What the history of nights answers on a terminal: how a case got where it is, when it changed its
// level, and what has become slower since a day or a LibTorch.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/case_night.h"

namespace perfgate {

struct HistoryQuestion {
  std::string case_glob;  ///< empty: the worst changes of all cases
  std::string since;      ///< "2026-11-20" or a version of LibTorch; empty: the newest LibTorch, or
                          ///< the last night where there is one
  int last = 20;          ///< nights of a case that are printed
  /// Without a case, and instead of `since`: what got slower in so many last nights.
  std::optional<int> slower_in_last = {};
};

/// Of `history`, in any order; `model` names the device. Throws UsageError where no night is of
/// such a case, or none is before or since that day.
std::string history_text(const std::vector<CaseNight>& history, const std::string& model,
                         const HistoryQuestion& question);

}  // namespace perfgate
