#pragma once
// A refresh: a full session of each case is measured, and what becomes of it is recorded.

#include <string>
#include <vector>

#include "perfgate/run/cases/case_run.h"
#include "perfgate/run/refresh/recorder.h"

namespace perfgate {

class RefreshRun final : public CaseRun {
 public:
  RefreshRun(GateSettings settings, GateTools tools);

  void behind_cases() override {}

 private:
  void require_what_follows() override;
  Outcome measure(const std::string& case_key) override { return cases_.record(case_key); }
  void complete(Outcome& /*outcome*/) const override {}
  Outcome keep(Outcome outcome) override;
  /// Writes what was kept, unless the machine turns out not to have been fit for it.
  void conclude() override;
  bool write_what_follows() override { return false; }
  [[nodiscard]] std::string closing_text() const override;
  [[nodiscard]] Outcome judge(const std::vector<WorkerReport>& reports) const override;

  Recorder recorder_;
};

}  // namespace perfgate
