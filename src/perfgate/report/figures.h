#pragma once
// Figures as people read them: a unit on every number, a sign and a word on every change.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/outcome.h"

namespace perfgate {

/// "81.0 us", "1.38 ms", "2.05 s": three significant digits.
std::string time_text(double microseconds);

/// A figure in one of the baseline's units; ratios become percent.
std::string figure_text(double figure, const std::string& unit);

/// "81.0  81.1  80.9 us": a unit behind the last of those that have it in common.
std::string figures_text(const std::vector<double>& figures, const std::string& unit);

/// " at 1590 MHz", behind cycles, which say nothing without their clock.
std::string clock_text(double mhz);

/// "dram read 4505 GB/s" of the ceiling "dram_read_gb_per_s": its unit is in its name.
std::string ceiling_text(const std::string& name, double value);

/// "+2.6 % slower", "-1.2 % faster", "+0.1 %": the word only when `in_words`.
std::string change_text(double relative, bool in_words);

/// "2.6 %"
std::string percent_text(double relative);

/// "PASS", or what a refresh did: "recorded", "session added", "new epoch", "REGRESSED refused".
std::string verdict_text(const Outcome& outcome);

/// How the figures were taken where that is not as usual, each behind two spaces: "  noisy" where
/// others disturbed too many samples, "  unheld" where the body cannot be queued whole before it
/// runs, so that launching is part of the time, "  host" where the time is the host's.
std::string remarks(const Outcome& outcome);

/// Whether the body of any of its workers cannot be queued whole before it runs.
bool is_unheld(const Outcome& outcome);

/// The metric's figure of every worker that measured it.
std::vector<double> figures_of(const Outcome& outcome, const std::string& metric);

/// Median over the outcome's workers of the metric's figures, if any worker measured it.
std::optional<double> median_figure(const Outcome& outcome, const std::string& metric);

/// Whether the case is about what its call takes on the host: that is its time then, and it has no
/// rate.
bool is_host_timed(const Outcome& outcome);

struct Rate {
  double value = 0;
  std::string unit;  ///< "GB/s", or by the operations "GFLOP/s" or "GOP/s"
};

/// Declared traffic over measured time.
std::optional<Rate> rate_of(const Outcome& outcome);

}  // namespace perfgate
