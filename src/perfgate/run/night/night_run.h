#pragma once
// A night: each case is gated against the baseline, and what follows stands in one list.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/run/cases/case_run.h"
#include "perfgate/run/night/past_nights.h"

namespace perfgate {

class NightRun final : public CaseRun {
 public:
  /// As CaseRun. Reads what the nights before left, and throws as for_each_night does.
  NightRun(GateSettings settings, GateTools tools);

  /// Looks again at each case on a device that the baseline does not know, and gates the canaries.
  void behind_cases() override;

 private:
  void require_what_follows() override;
  Outcome measure(const std::string& case_key) override { return cases_.gate(case_key); }
  void complete(Outcome& outcome) const override;
  Outcome keep(Outcome outcome) override { return outcome; }
  void conclude() override;
  bool write_what_follows() override;
  [[nodiscard]] std::string closing_text() const override;
  [[nodiscard]] Outcome judge(const std::vector<WorkerReport>& reports) const override;

  void look_again();
  void gate_canaries();

  std::filesystem::path history_;
  PastNights past_;
  std::optional<SiblingChanges> siblings_;  ///< of the night, once it is over
};

}  // namespace perfgate
