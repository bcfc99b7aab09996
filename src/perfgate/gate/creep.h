#pragma once
// Which series (metrics of a case on one device) have become slower over the nights, by the CUSUM
// of gate/cusum.h: the nights of a history that were compared with the reference in force.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/case_night.h"
#include "perfgate/gate/cusum.h"
#include "perfgate/gate/judge.h"

namespace perfgate {

/// When it was, and with what.
struct NightBuild {
  std::string time;  ///< ISO 8601, UTC
  std::string commit;
  std::string libtorch;
  std::optional<std::string> driver;

  friend bool operator==(const NightBuild&, const NightBuild&) = default;
};

/// A series that has become slower.
struct SeriesCreep {
  std::string case_key;
  std::string device_id;
  Metric metric;
  double change = 0;                      ///< relative; of the newest nights against the reference
  int nights = 0;                         ///< from `since` to `now`
  std::optional<NightBuild> before = {};  ///< the night before it; none where it is the first
  NightBuild since;                       ///< the most likely first night of it
  NightBuild found;                       ///< the night in which the sum crossed its limit
  NightBuild now;                         ///< the newest night
};

/// The nights of some cases on one device.
class SeriesNights {
 public:
  /// Borrows what the judge borrows. `cases`: whose nights are kept.
  SeriesNights(const Judge& judge, std::string device_id, std::vector<std::string> cases);

  /// Takes what counts of it: a night of this device and of one of the cases, compared with the
  /// reference in force. One that the judge found REGRESSED or UNSTEADY is the judge's: it does not
  /// count, and so a regression that was mended leaves nothing behind.
  void add(const CaseNight& night);

  /// What has become slower, by case and metric.
  [[nodiscard]] std::vector<SeriesCreep> creeps() const;

 private:
  struct Night {
    std::size_t build = 0;  // in builds_
    NightPoint point;
  };
  struct Reference {
    std::string revision;
    std::map<Metric, int> sessions;  // of this device
  };
  Judge judge_;
  std::string device_id_;
  std::map<std::string, Reference> references_;  // by case
  std::vector<NightBuild> builds_;
  std::map<std::pair<std::string, Metric>, std::vector<Night>> series_;
};

}  // namespace perfgate
