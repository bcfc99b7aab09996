#pragma once
// What a comparison of two builds found, in one sentence that can be forwarded by itself: it says
// what was compared, where, and how sure that is.

#include <initializer_list>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/paired.h"

namespace perfgate {

/// One of the two builds.
struct ComparedBuild {
  std::string program;    ///< its path
  std::string variables;  ///< "NAME=VALUE ..." that its processes alone get; empty: none
  SessionRecord session;  ///< versions and settings
};

/// What is compared, where and how.
struct Comparison {
  DeviceRecord device;
  std::string device_id;
  ComparedBuild before;
  ComparedBuild now;
  int first_pairs = 0;
  int most_pairs = 0;
  double false_alarms = 0;     ///< probability of any, over all cases and looks
  double inject_slowdown = 0;  ///< percent, in the newer build
  std::size_t metrics = 0;     ///< that shared it
  double elapsed_s = 0;
  bool interrupted = false;
};

/// Indices of outcomes, and so of reports.
using Places = std::vector<std::size_t>;

/// The outcomes of these verdicts, in their order.
Places places_of(const std::vector<PairedOutcome>& outcomes, std::initializer_list<Verdict> which);

/// Those that were judged worse or better, the worst first. What took so long that it was killed
/// has REGRESSED and no judgement: it is not among them.
Places changed_places(const std::vector<PairedOutcome>& outcomes);

/// "+4.2 % to +6.0 %".
std::string paired_interval_text(const PairedJudgement& judgement);

/// The case's key, with its phase and, where that is no time, what was judged.
std::string name_of_compared(const std::string& case_key, const PairedJudgement& judgement);

/// The whole in one sentence. `reports` and `outcomes`: by the same order.
std::string paired_sentence(const Comparison& comparison, const std::vector<PairedReports>& reports,
                            const std::vector<PairedOutcome>& outcomes);

}  // namespace perfgate
