#pragma once
// What a run makes of the nights before it, and adds for those to come: an improvement that is not
// recorded yet serves as a baseline, and a case that nothing could judge for too many nights
// fails.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/run/night/night_log.h"

namespace perfgate {

class Memory {
 public:
  /// Reads what the nights before left at `path`. Borrows `recorded`, `policy` and `files`.
  /// `device`: the physical one. Throws as load_night_log does.
  Memory(std::filesystem::path path, const Judge& recorded, const Policy& policy,
         std::string device, FileCalls& files);

  /// The verdict on these reports: by the baseline, and where an improvement on it is kept, that
  /// this is not lost again. `ceilings` and `siblings`: as of Judge::of_device and
  /// Judge::of_two_looks.
  [[nodiscard]] Outcome judge(const std::vector<WorkerReport>& reports,
                              const CeilingRates& ceilings,
                              const SiblingChanges* siblings = nullptr) const;

  /// Marks a case that nothing could judge for too many nights, tonight (`now`, ISO 8601) included.
  void look_back(Outcome& outcome, const std::string& now) const;

  /// Adds what this run found: improvements, and what it could not judge.
  void remember(const std::vector<Outcome>& outcomes, const SessionRecord& tonight) const;

 private:
  std::filesystem::path path_;
  const Judge& recorded_;
  const Policy& policy_;
  std::string device_;
  FileCalls& files_;
  NightLog log_;
  std::optional<Judge> improved_;  ///< with the improvements; unset where there is none
};

}  // namespace perfgate
