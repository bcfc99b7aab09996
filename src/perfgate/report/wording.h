#pragma once
// Measurements as people read them: a unit on every number, a sign and a word on every change.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/outcome.h"

namespace perfgate {

/// "81.0 us", "1.38 ms", "2.05 s": three significant digits.
std::string time_text(double microseconds);

/// A measurement in its unit, or a larger one of the same; ratios become percent.
std::string value_text(double value, Unit unit);

/// "81.0  81.1  80.9 us": a unit behind the last of those that have it in common.
std::string values_text(const std::vector<double>& measurements, Unit unit);

/// "1590  1605 MHz".
std::string clocks_text(const std::vector<double>& mhz);

/// " at 1590 MHz", behind cycles, which say nothing without their clock.
std::string clock_text(double mhz);

/// "dram read 4505 GB/s".
std::string ceiling_text(const Ceiling& ceiling, double value);

/// "+0.1 %", "-1.2 %".
std::string change_text(double relative);

/// What a metric has become that has changed so: "slower" or "faster"; of memory "more" or "less",
/// for it is no speed; of what a case measures itself "worse" or "better".
std::string_view change_word(const Metric& metric, double relative);

/// "+2.6 % slower", "-1.2 % faster"; "+0.0 %" where it rounds to nothing.
std::string change_in_words(const Metric& metric, double relative);

/// "2.6 %"
std::string percent_text(double relative);

/// "PASS", or what a refresh did: "recorded", "session added", "new revision", "REGRESSED refused".
std::string verdict_text(const Outcome& outcome);

/// The phases that a case was measured in, of any of its workers.
std::vector<Phase> phases_of(const Outcome& outcome);

/// How a phase's measurements were taken where that is not as usual, each behind two spaces: "
/// noisy" where others disturbed too many samples, "  launch-bound" where the body cannot be queued
/// whole before it runs, so that launching is part of the time, "  host" where the time is the
/// host's, "  host 6.51 ms" where what the host takes is judged beside it.
std::string remarks(const Outcome& outcome, Phase phase);

/// Whether the phase's body cannot be queued whole before it runs in any of the workers.
bool is_launch_bound(const Outcome& outcome, Phase phase);

/// The metric's measurement of every worker that measured it.
std::vector<double> measurements_of(const Outcome& outcome, Metric metric);

/// Median over the outcome's workers of the metric's measurements, if any worker measured it.
std::optional<double> median_measurement(const Outcome& outcome, Metric metric);

/// Whether the phase is about what its call takes on the host: that is its time then, and it has no
/// rate.
bool is_host_timed(const Outcome& outcome, Phase phase);

/// What the columns of a table show of a phase; nothing where it was not measured or has no such.
struct Columns {
  std::string time;
  std::string rate;
  std::string utilisation;
};
Columns columns_of(const Outcome& outcome, Phase phase);

struct Rate {
  double value = 0;
  Unit unit = Unit::kGbPerS;
};

/// A phase's declared traffic, and the tokens that it makes, over its measured time; the one that
/// is shown first.
std::vector<Rate> rates_of(const Outcome& outcome, Phase phase);
/// The one that is shown.
std::optional<Rate> rate_of(const Outcome& outcome, Phase phase);

}  // namespace perfgate
