#include "perfgate/report/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "perfgate/gate/mde_text.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// Three significant digits without an exponent: 8.10, 81.0, 810, 8100.
std::string three_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

// Percentages are shown to one decimal, and "-0.0 %" is no change.
bool rounds_to_nothing(double relative) { return std::abs(relative) < 0.0005; }

// Whether the workers propose to judge that metric.
bool workers_judge(const Outcome& outcome, Metric metric) {
  if (outcome.reports.empty()) {
    return false;
  }
  const auto& metrics = outcome.reports.front().metrics;
  const auto found = metrics.find(metric);
  return found != metrics.end() && found->second.judged;
}

// Of a phase whose time is the host's, or beside whose time the host's is judged: that has an MDE
// of its own, for the column's is of the metric that sees most.
std::string host_remark(const Outcome& outcome, Phase phase) {
  if (is_host_timed(outcome, phase)) {
    return "  host";
  }
  const auto host_us = median_measurement(outcome, kHostTime.in(phase));
  if (!host_us || !workers_judge(outcome, kRelativeHostTime.in(phase))) {
    return "";
  }
  const auto* judgement = outcome.judgement_of(kRelativeHostTime.in(phase));
  return "  host " + time_text(*host_us) +
         (judgement != nullptr ? ", MDE " + mde_text(judgement->mde) : "");
}

}  // namespace

std::string time_text(double microseconds) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{1e6, "s"}, {1e3, "ms"}, {1, "us"}}};
  for (const auto& [size, name] : kUnits) {
    if (microseconds >= 0.9995 * size) {  // where rounding to three digits reaches the unit
      return three_digits(microseconds / size) + " " + name;
    }
  }
  return three_digits(microseconds) + " us";
}

std::string percent_text(double relative) {
  const double percent = rounds_to_nothing(relative) ? 0 : 100 * relative;
  return fmt::format("{:.{}f} %", percent, std::abs(percent) < 99.95 ? 1 : 0);
}

std::string value_text(double value, Unit unit) {
  const bool in_thousands = value >= 999.5;
  switch (unit) {
    case Unit::kMicroseconds:
      return time_text(value);
    case Unit::kCycles:
      return value < 999.5e3 ? three_digits(value / 1e3) + " kcycles"
                             : three_digits(value / 1e6) + " Mcycles";
    case Unit::kRatio:  // a small utilisation has digits, too
      return value < 0.09995 ? three_digits(100 * value) + " %" : percent_text(value);
    case Unit::kGflopPerS:
      return in_thousands ? three_digits(value / 1000) + " TFLOP/s"
                          : three_digits(value) + " GFLOP/s";
    case Unit::kGopPerS:
      return in_thousands ? three_digits(value / 1000) + " TOP/s" : three_digits(value) + " GOP/s";
    case Unit::kBytes:
      if (value < 999.5e3) {
        return value < 999.5 ? three_digits(value) + " B" : three_digits(value / 1e3) + " kB";
      }
      return value < 999.5e6 ? three_digits(value / 1e6) + " MB"
                             : three_digits(value / 1e9) + " GB";
    case Unit::kCount:
      return three_digits(value);
    case Unit::kGbPerS:
    case Unit::kTokensPerS:
    case Unit::kControls:
      break;
  }
  return three_digits(value) + " " + std::string(name_of(unit));
}

namespace {

// A unit behind the last of those that have it in common.
template <class TextOf>
std::string joined(const std::vector<double>& measurements, const TextOf& text_of_value) {
  std::string out;
  std::string last_unit;
  for (const double value : measurements) {
    const std::string text = text_of_value(value);
    const std::size_t space = std::min(text.find(' '), text.size());  // a count has no unit
    const std::string its_unit = text.substr(space);
    if (!out.empty()) {
      out += (its_unit == last_unit ? "" : last_unit) + "  ";
    }
    out += text.substr(0, space);
    last_unit = its_unit;
  }
  return out + last_unit;
}

// Of a body of two speeds the middle of its samples is neither.
std::string spread_remark(const Outcome& outcome, Phase phase) {
  constexpr double kTold = 0.5;  // half of all samples do not lie within this share of their median
  std::vector<double> spreads;
  for (const auto& report : outcome.reports) {
    const auto& samples = report.phase(phase).samples;
    const auto found = samples.find("time_us");
    if (found != samples.end() && found->second.size() > 3) {
      spreads.push_back(relative_interquartile_range(found->second));
    }
  }
  return spreads.empty() || median(spreads) < kTold
             ? ""
             : "  samples differ by " + percent_text(median(spreads));
}

// Of a case that allocates more than it declares.
std::string allocation_remark(const Outcome& outcome) {
  for (const auto& report : outcome.reports) {
    const auto peak = report.environment.find("memory_peak");
    const auto declared = report.environment.find("memory_declared");
    if (peak != report.environment.end() && declared != report.environment.end()) {
      return "  allocates " + peak->second + ", declares " + declared->second;
    }
  }
  return "";
}

}  // namespace

std::string values_text(const std::vector<double>& measurements, Unit unit) {
  return joined(measurements, [unit](double value) { return value_text(value, unit); });
}

std::string clocks_text(const std::vector<double>& mhz) {
  return joined(mhz, [](double clock) { return three_digits(clock) + " MHz"; });
}

std::string clock_text(double mhz) { return fmt::format(" at {:.0f} MHz", mhz); }

std::string ceiling_text(const Ceiling& ceiling, double value) {
  std::string words = ceiling.name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words + " " + value_text(value, ceiling.unit);
}

std::string change_text(double relative) {
  return (relative < 0 && !rounds_to_nothing(relative) ? "" : "+") + percent_text(relative);
}

std::string_view change_word(const Metric& metric, double relative) {
  const bool rises = relative > 0;
  switch (metric.quantity) {
    case Quantity::kPeakMemory:
      return rises ? "more" : "less";
    case Quantity::kOwn:
      return rises ? "worse" : "better";
    default:
      return rises ? "slower" : "faster";
  }
}

std::string change_in_words(const Metric& metric, double relative) {
  const std::string number = change_text(relative);
  return rounds_to_nothing(relative) ? number
                                     : fmt::format("{} {}", number, change_word(metric, relative));
}

std::vector<Phase> phases_of(const Outcome& outcome) {
  std::set<Phase> out;
  for (const auto& report : outcome.reports) {
    for (const auto& [phase, part] : report.phases) {
      out.insert(phase);
    }
  }
  return {out.begin(), out.end()};
}

bool is_host_timed(const Outcome& outcome, Phase phase) {
  return workers_judge(outcome, kHostTime.in(phase));
}

std::string verdict_text(const Outcome& outcome) {
  switch (outcome.recorded) {
    case Recorded::kFirst:
      return "recorded";
    case Recorded::kSession:
      return "session added";
    case Recorded::kRevision:
      return "new revision";
    case Recorded::kRefused:
      return std::string(name_of(outcome.verdict)) + " refused";
    case Recorded::kNot:
      break;
  }
  return std::string(name_of(outcome.verdict));
}

std::string remarks(const Outcome& outcome, Phase phase) {
  if (outcome.verdict == Verdict::kWrong) {
    return "";
  }
  const bool noisy =
      std::any_of(outcome.reports.begin(), outcome.reports.end(),
                  [phase](const WorkerReport& report) { return report.phase(phase).noisy; });
  const auto* judgement = outcome.deciding(phase);
  const std::string tolerance = judgement != nullptr && judgement->own_tolerance
                                    ? "  tolerance " + percent_text(judgement->tolerance)
                                    : "";
  return std::string(noisy ? "  noisy" : "") +
         (is_launch_bound(outcome, phase) ? "  launch-bound" : "") + host_remark(outcome, phase) +
         tolerance + spread_remark(outcome, phase) + allocation_remark(outcome);
}

bool is_launch_bound(const Outcome& outcome, Phase phase) {
  return std::any_of(outcome.reports.begin(), outcome.reports.end(),
                     [phase](const WorkerReport& report) {
                       return is_queued_whole(report.phase(phase).protocol) == false;
                     });
}

std::vector<double> measurements_of(const Outcome& outcome, Metric metric) {
  return measurements_of(outcome.reports, metric);
}

std::optional<double> median_measurement(const Outcome& outcome, Metric metric) {
  const auto measurements = measurements_of(outcome, metric);
  return measurements.empty() ? std::nullopt : std::optional<double>(median(measurements));
}

std::vector<Rate> rates_of(const Outcome& outcome, Phase phase) {
  const auto time_us = median_measurement(outcome, kTime.in(phase));
  if (!time_us) {
    return {};
  }
  const auto& traffic = outcome.reports.front().phase(phase).traffic;
  const Seconds elapsed = Microseconds(*time_us);
  std::vector<Rate> out;
  if (traffic.tokens > 0) {
    out.push_back({traffic.tokens / elapsed.count(), Unit::kTokensPerS});
  }
  if (traffic.bytes.count == 0 && traffic.operations.count == 0) {
    return out;  // a case of pure latency
  }
  if (traffic.bound == Bound::kMemory) {
    out.push_back({gb_per_s(traffic.bytes, elapsed), Unit::kGbPerS});
  } else {
    out.push_back({gflop_per_s(traffic.operations, elapsed),
                   traffic.integer ? Unit::kGopPerS : Unit::kGflopPerS});
  }
  return out;
}

std::optional<Rate> rate_of(const Outcome& outcome, Phase phase) {
  const auto rates = rates_of(outcome, phase);
  return rates.empty() ? std::nullopt : std::optional(rates.front());
}

Columns columns_of(const Outcome& outcome, Phase phase) {
  Columns out;
  const bool of_the_host = is_host_timed(outcome, phase);
  if (const auto time_us =
          median_measurement(outcome, (of_the_host ? kHostTime : kTime).in(phase))) {
    out.time = time_text(*time_us);
  }
  if (of_the_host) {
    return out;
  }
  if (const auto rate = rate_of(outcome, phase)) {
    out.rate = value_text(rate->value, rate->unit);
  }
  if (const auto ratio = median_measurement(outcome, kUtilisation.in(phase))) {
    out.utilisation = fmt::format("{:.{}f} %", 100 * *ratio, *ratio < 0.0995 ? 1 : 0);
  }
  return out;
}

}  // namespace perfgate
