#pragma once
// What nights have shown of the gate itself: how often it alarmed though nothing had changed, and
// how much of what was injected it found. Nights of recorded data, of CPUs and of each GPU model
// are counted apart: the first never ran a gate, and what holds on one device need not on another.

#include <map>
#include <set>
#include <string>

#include "perfgate/gate/canary.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// Cases into which work of about one size was injected.
struct Trials {
  int cases = 0;
  int found = 0;
  int said_nothing = 0;  ///< others disturbed them, or too little came to them; not in `cases`
};

/// Of one place, and there of one family or of all.
struct Tally {
  int nights = 0;
  int unjudged = 0;  ///< cases that ran and were not judged: others, an unfit machine
  int judged = 0;    ///< cases that nobody changed
  int alarms = 0;    ///< of these REGRESSED, UNSTEADY or IMPROVED
  int suspected = 0;
  int nights_with_alarm = 0;
  int repeats = 0;  ///< canaries repeated as they are, said nothing left out
  int repeat_alarms = 0;
  std::map<double, Trials> injected;  ///< by the least multiple of the MDE of a size
  Trials as_canaries;                 ///< of recorded data, with what a canary has to be found with
};

class Certificate {
 public:
  /// A night that ran. Its cases count as unchanged, but for those into which work was injected.
  void add(const Run& night);

  /// A night of recorded data, at `where`: what each case came to as it was recorded.
  void add_recorded(const std::string& where, const std::string& date,
                    const std::vector<Outcome>& outcomes);
  /// One case of it, slowed by so many times its MDE, or by what a canary has to be found with.
  void add_injected(const std::string& where, const std::string& case_key, double multiple,
                    bool found);
  void add_canary(const std::string& where, const std::string& case_key, bool found);

  [[nodiscard]] std::string text() const;

 private:
  struct Place {
    std::set<std::string> dates;
    std::set<std::string> devices;
    std::map<std::string, Tally> by_family;  ///< "all" is all of them
    std::map<std::string, int> alarms;       ///< how often, by what was found
  };
  void count_unchanged(Place& place, const std::vector<Outcome>& outcomes);
  std::map<std::string, Place> places_;
};

}  // namespace perfgate
