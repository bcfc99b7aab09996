#pragma once
// The terminal table: a heading that says what is compared with what, one line a case with the
// verdict last. Pure: run in, text out; whoever calls it decides where it goes.

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outlook.h"
#include "perfgate/report/run.h"
#include "perfgate/report/wording.h"

namespace perfgate {

class Table {
 public:
  /// `columns`: of the terminal; 0: as many as the table has.
  explicit Table(bool colour, std::size_t columns = 0) : colour_(colour), columns_(columns) {}

  /// Who measures, with which LibTorch, against which baseline, and what that can show. `baseline`
  /// may be null.
  [[nodiscard]] std::string heading(const RunInfo& info, const Baseline* baseline,
                                    const NightOutlook& outlook, double false_alarms_a_night) const;
  /// The machine's ceilings today beside the baseline's, and what is wrong with it, if anything.
  [[nodiscard]] std::string machine_line(const RunInfo& info, const Baseline* baseline,
                                         const std::optional<std::string>& why_unfit) const;
  /// What stands over the rows.
  [[nodiscard]] std::string column_heads() const;
  /// One case, with a line for each of its phases where it has several; a reason that was already
  /// printed is not printed again.
  [[nodiscard]] std::string row(const Outcome& outcome, int number, int total);
  /// A passing status for terminals: how far, what next, how long still.
  [[nodiscard]] std::string progress(int number, int total, const std::string& case_key,
                                     double eta_s) const;

 private:
  /// The verdict, or in a refresh what became of the case.
  [[nodiscard]] std::string verdict_column(const Outcome& outcome) const;
  [[nodiscard]] std::string line(const Outcome& outcome, Phase phase, const std::string& number,
                                 const std::string& name, const std::string& verdict) const;
  [[nodiscard]] std::string phase_lines(const Outcome& outcome) const;
  [[nodiscard]] std::string cells(const std::string& number, const std::string& name,
                                  const Columns& columns, const std::string& change,
                                  const std::string& mde, const std::string& verdict) const;
  [[nodiscard]] bool is_narrow() const;
  bool colour_;
  std::size_t columns_;
  std::set<std::string> printed_reasons_;  ///< why cases were not measured: each is said once
};

}  // namespace perfgate
