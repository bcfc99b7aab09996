#include "perfgate/report/failure_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "perfgate/baseline/clock.h"
#include "perfgate/gate/interference.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

std::string unsteady_line(const Outcome& outcome, const Judgement& judgement) {
  return line("unsteady",
              fmt::format("{} lie {} apart, the baseline's {} at most",
                          counted(outcome.reports.size(), "process", "processes"),
                          percent_text(judgement.spread), percent_text(judgement.spread_limit)));
}

// What people read beside a metric that is no time itself; nothing beside memory, and clock_line
// says it of cycles.
std::optional<double> time_beside(const Outcome& outcome, const Metric& metric) {
  if (metric.quantity == Quantity::kOwn) {
    return std::nullopt;
  }
  switch (unit_of(metric)) {
    case Unit::kMicroseconds:
    case Unit::kCycles:
    case Unit::kBytes:
      return std::nullopt;
    case Unit::kControls:
      return median_measurement(
          outcome, (is_of_host_pass(metric.quantity) ? kEnqueueTime : kHostTime).in(metric.phase));
    default:
      return median_measurement(outcome, kTime.in(metric.phase));
  }
}

}  // namespace

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<12} {}\n", label, text);
}

std::string counted(std::size_t number, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", number, number == 1 ? noun : plural);
}

std::string judged_lines(const Outcome& outcome, const Judgement& judgement) {
  const Unit unit = unit_of(judgement.metric);
  const auto& clock = judgement.clock_mhz;
  const auto time_us = time_beside(outcome, judgement.metric);
  const std::string now =
      fmt::format("{} {}{}, was {}{}", text_of(judgement.metric), value_text(judgement.now, unit),
                  time_us ? fmt::format(" ({})", time_text(*time_us)) : "",
                  value_text(judgement.before, unit), clock ? clock_text(clock->before) : "");
  std::string out =
      judgement.verdict == Verdict::kUnsteady ? unsteady_line(outcome, judgement) : "";
  out +=
      line(fmt::format("{} by", change_word(judgement.metric, judgement.change)),
           fmt::format("{} +- {}   {}   tolerance {}, MDE {}",
                       percent_text(std::abs(judgement.change)), percent_text(judgement.half_width),
                       now, percent_text(judgement.tolerance), mde_text(judgement.mde)));
  const bool changed =
      judgement.verdict == Verdict::kRegressed || judgement.verdict == Verdict::kImproved;
  out += line("significance",
              fmt::format("p = {:.0e}, budget {:.0e} a metric{}; {}: {}", judgement.p_value,
                          judgement.alpha,
                          changed && judgement.p_value > judgement.alpha
                              ? ", but noise is never as large on such a machine"
                              : "",
                          counted(outcome.reports.size(), "fresh process", "fresh processes"),
                          values_text(measurements_of(outcome, judgement.metric), unit)));
  return out + (judgement.median
                    ? line("statistic", "the best process is judged; their median is " +
                                            value_text(*judgement.median, unit))
                    : "");
}

std::string times_line(const Outcome& outcome, const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (outcome.message.empty() || record == baseline.cases.end()) {
    return "";
  }
  const auto* decides = outcome.deciding();
  if (decides != nullptr && decides->metric.quantity == Quantity::kUtilisation) {
    return "";  // control_line says it
  }
  const Phase phase = decides == nullptr ? Phase::kWhole : decides->metric.phase;
  for (const Metric metric : {kNetTime.in(phase), kTime.in(phase)}) {
    if (decides != nullptr && decides->metric == metric) {
      return "";  // said already
    }
    const auto now = median_measurement(outcome, metric);
    const auto before = recorded_median(record->second, metric);
    if (now && before) {
      return line("times", fmt::format("{} {}, was {}", text_of(metric), time_text(*now),
                                       time_text(*before)));
    }
  }
  return "";
}

std::string control_line(const Outcome& outcome, const Judgement& judgement,
                         const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (judgement.metric.quantity != Quantity::kUtilisation || record == baseline.cases.end()) {
    return "";
  }
  const Metric time = kTime.in(judgement.metric.phase);
  const auto now = median_measurement(outcome, time);
  const auto before = recorded_median(record->second, time);
  if (!now || !before) {
    return "";
  }
  const double control = control_speed_ratio(*now, judgement.now, *before, judgement.before) - 1;
  return line("control", fmt::format("time {}, was {}; the control beside it is {:.1f} % {} than "
                                     "when it was recorded",
                                     time_text(*now), time_text(*before), 100 * std::abs(control),
                                     control < 0 ? "slower" : "faster"));
}

std::string clock_line(const Outcome& outcome, Phase phase) {
  const auto* time = outcome.judgement_of(kNetTime.in(phase));
  const auto* cycles = outcome.judgement_of(kCycles.in(phase));
  if (time == nullptr || cycles == nullptr || !cycles->clock_mhz) {
    return "";
  }
  const auto clocks = clocks_mhz({{cycles->metric, measurements_of(outcome, cycles->metric)},
                                  {time->metric, measurements_of(outcome, time->metric)}},
                                 phase);
  return line("clock", fmt::format("{} {}, cycles at one clock {}: {} instead of {:.0f}",
                                   text_of(time->metric), change_text(time->change),
                                   change_text(cycles->change), clocks_text(clocks),
                                   cycles->clock_mhz->before));
}

}  // namespace perfgate
