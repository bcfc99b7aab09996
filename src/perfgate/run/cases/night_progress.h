#pragma once
// How far a night is. ctest gates a night by a process a family, or several: each would count from
// one, and print a heading of its own. Where --night names the cases of all of them, they share a
// record beside that file of what is done, and whoever reads the table sees one night.

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "perfgate/core/files.h"
#include "perfgate/core/units.h"

namespace perfgate {

class NightProgress {
 public:
  /// `night`: a file of case keys, one a line; empty: what begin() is given is the whole night.
  /// Throws SystemError where it cannot be read. Borrows `files`.
  NightProgress(const std::filesystem::path& night, FileCalls& files,
                std::function<Seconds()> clock);

  /// What this process is going to gate.
  void begin(const std::vector<std::string>& own);

  /// The cases of the whole night.
  [[nodiscard]] const std::set<std::string>& cases() const { return cases_; }

  /// Whether no process of the night has asked for this device before: the table's heading is its.
  bool is_first_on(const std::string& device_id);

  /// How many cases are done, by all processes.
  int done();
  /// One more is done, whose number in the night this is.
  int next();
  /// At least what is done.
  [[nodiscard]] int total() const { return total_; }

  /// How long what was left when done() or next() said last will take, at the rate of what is done
  /// since this process began; 0 where that is not known yet.
  [[nodiscard]] double eta_s() const;

 private:
  template <class Shared>
  void with_record(const Shared& shared);
  void read();
  void append(const std::string& line);
  std::filesystem::path record_;  ///< empty: nobody shares it
  FileCalls& files_;
  std::function<Seconds()> clock_;
  std::set<std::string> cases_;
  std::set<std::string> devices_;
  int done_ = 0;
  int total_ = 0;
  int done_before_ = 0;  ///< when this process began
  Seconds began_{0};
};

}  // namespace perfgate
