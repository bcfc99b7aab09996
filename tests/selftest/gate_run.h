#pragma once
// Runs a gate binary as a user would, in a folder of its own.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/report/run.h"

namespace perfgate::selftest {

class GateFolder {
 public:
  /// `program`: the gate binary. Makes a fresh temporary folder, removed at the end.
  explicit GateFolder(std::string program);
  ~GateFolder();
  GateFolder(const GateFolder&) = delete;
  GateFolder& operator=(const GateFolder&) = delete;

  /// Runs the gate with these flags, this folder's baselines and a new results folder.
  /// Returns its exit code; 128 + n for signal n.
  int run(const std::vector<std::string>& flags,
          const std::map<std::string, std::string>& environment = {});

  /// The flags that point a gate at this folder.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& flags) const;
  [[nodiscard]] const std::string& printed() const { return printed_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The results of the last run. Throws when there is not exactly one file.
  [[nodiscard]] Run results() const;
  [[nodiscard]] const Outcome& outcome(const std::string& case_key);
  /// The only baseline. Throws when it is malformed or not there.
  [[nodiscard]] Baseline baseline() const;
  [[nodiscard]] std::filesystem::path baseline_folder() const;
  /// One of its files, of the family "replay".
  [[nodiscard]] std::filesystem::path baseline_file() const;
  /// As if the case had been recorded under the other name.
  void rename_recorded(const std::string& from, const std::string& to) const;
  [[nodiscard]] std::filesystem::path results_folder() const;

 private:
  std::string program_;
  std::filesystem::path path_;
  std::string printed_;
  int runs_ = 0;
  Run last_;
};

}  // namespace perfgate::selftest
