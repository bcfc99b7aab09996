#pragma once
// What the nights before leave for this one, as the history has it: an improvement that is not
// recorded yet serves as a baseline, and a case that nothing could judge for too many nights
// fails.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perfgate/gate/case_night.h"
#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

class PastNights {
 public:
  /// Reads the history at `path`. Borrows `recorded` and `policy`. `device`: the physical one.
  /// `now`: ISO 8601; a clock that was ahead once has left nights behind that. Throws as
  /// for_each_night does.
  PastNights(const std::filesystem::path& path, const Judge& recorded, const Policy& policy,
             std::string device, std::string now);

  /// The verdict on these reports: by the baseline, and where an improvement on it is kept, that
  /// this is not lost again. `ceilings` and `siblings`: as of Judge::of_device and
  /// Judge::of_two_looks.
  [[nodiscard]] Outcome judge(const std::vector<WorkerReport>& reports,
                              const CeilingRates& ceilings,
                              const SiblingChanges* siblings = nullptr) const;

  /// Marks a case that nothing could judge for too many nights, tonight included.
  void look_back(Outcome& outcome) const;

  /// Adds to `judged`, the lines of tonight's judged cases, what the nights to come have to know
  /// besides: improvements, what nothing could judge, and what was judged again.
  void add_what_is_left(const std::vector<Outcome>& outcomes, const SessionRecord& tonight,
                        std::vector<CaseNight>& judged) const;

 private:
  /// When somebody tried to judge a case. Times are ISO 8601, which sorts as text.
  struct Tries {
    std::string judged;              ///< the last time that it was judged; empty: never
    std::set<std::string> unjudged;  ///< the times that nothing could judge it
  };

  void add(const CaseNight& night);
  /// The days on which nothing could judge it, since it was judged last.
  [[nodiscard]] std::set<std::string> days_unjudged(const std::string& case_key) const;

  const Judge& recorded_;
  const Policy& policy_;
  std::string device_;
  std::string now_;
  std::map<std::string, CaseNight> improvements_;  ///< the first on what is recorded, by case
  std::map<std::string, Tries> tries_;             ///< by case
  std::optional<Judge> improved_;  ///< with the improvements; unset where there is none
};

}  // namespace perfgate
