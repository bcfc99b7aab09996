#include "perfgate/report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

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

std::string figure_text(double figure, const std::string& unit) {
  if (unit == "us") {
    return time_text(figure);
  }
  if (unit == "cycles") {
    return figure < 999.5e3 ? three_digits(figure / 1e3) + " kcycles"
                            : three_digits(figure / 1e6) + " Mcycles";
  }
  for (const auto& [giga, tera] :
       {std::pair("GFLOP/s", " TFLOP/s"), std::pair("GOP/s", " TOP/s")}) {
    if (unit == giga && figure >= 999.5) {
      return three_digits(figure / 1000) + tera;
    }
  }
  return unit == "ratio" ? percent_text(figure) : three_digits(figure) + " " + unit;
}

std::string figures_text(const std::vector<double>& figures, const std::string& unit) {
  std::string out;
  std::string last_unit;
  for (const double figure : figures) {
    const std::string text = figure_text(figure, unit);
    const std::size_t space = text.find(' ');
    const std::string its_unit = text.substr(space);
    if (!out.empty()) {
      out += (its_unit == last_unit ? "" : last_unit) + "  ";
    }
    out += text.substr(0, space);
    last_unit = its_unit;
  }
  return out + last_unit;
}

std::string clock_text(double mhz) { return fmt::format(" at {:.0f} MHz", mhz); }

std::string ceiling_text(const std::string& name, double value) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 4> kUnits = {
      {{"_gb_per_s", "GB/s"}, {"_gflop_per_s", "GFLOP/s"}, {"_gop_per_s", "GOP/s"}, {"_us", "us"}}};
  std::string words = name;
  std::string figure = fmt::format("{:.4g}", value);
  for (const auto& [ending, unit] : kUnits) {
    if (name.ends_with(ending)) {
      words.resize(name.size() - ending.size());
      figure = figure_text(value, unit);
    }
  }
  std::replace(words.begin(), words.end(), '_', ' ');
  return words + " " + figure;
}

std::string change_text(double relative, bool in_words) {
  if (rounds_to_nothing(relative)) {
    return "+0.0 %";
  }
  const std::string number = (relative < 0 ? "" : "+") + percent_text(relative);
  return in_words ? number + (relative < 0 ? " faster" : " slower") : number;
}

bool is_host_timed(const Outcome& outcome) {
  if (outcome.reports.empty()) {
    return false;
  }
  const auto& metrics = outcome.reports.front().metrics;
  const auto host_time = metrics.find("host_time");
  return host_time != metrics.end() && host_time->second.judged;
}

std::string verdict_text(const Outcome& outcome) {
  switch (outcome.recorded) {
    case Recorded::kFirst:
      return "recorded";
    case Recorded::kSession:
      return "session added";
    case Recorded::kEpoch:
      return "new epoch";
    case Recorded::kRefused:
      return std::string(name_of(outcome.verdict)) + " refused";
    case Recorded::kNot:
      break;
  }
  return std::string(name_of(outcome.verdict));
}

std::string remarks(const Outcome& outcome) {
  if (outcome.verdict == Verdict::kWrong) {
    return "";
  }
  const bool noisy = std::any_of(outcome.reports.begin(), outcome.reports.end(),
                                 [](const WorkerReport& report) { return report.noisy; });
  const std::string host = is_host_timed(outcome) ? "  host" : "";
  const auto* judgement = outcome.deciding();
  const std::string tolerance = judgement != nullptr && judgement->own_tolerance
                                    ? "  tolerance " + percent_text(judgement->tolerance)
                                    : "";
  return std::string(noisy ? "  noisy" : "") + (is_unheld(outcome) ? "  unheld" : "") + host +
         tolerance;
}

bool is_unheld(const Outcome& outcome) {
  return std::any_of(
      outcome.reports.begin(), outcome.reports.end(), [](const WorkerReport& report) {
        const auto held = report.protocol.find("held");
        return held != report.protocol.end() && held->second == ProtocolSetting(false);
      });
}

std::vector<double> figures_of(const Outcome& outcome, const std::string& metric) {
  std::vector<double> out;
  for (const auto& report : outcome.reports) {
    const auto found = report.metrics.find(metric);
    if (report.status == WorkerStatus::kMeasured && found != report.metrics.end()) {
      out.push_back(found->second.figure);
    }
  }
  return out;
}

std::optional<double> median_figure(const Outcome& outcome, const std::string& metric) {
  const auto figures = figures_of(outcome, metric);
  return figures.empty() ? std::nullopt : std::optional<double>(median(figures));
}

std::optional<Rate> rate_of(const Outcome& outcome) {
  const auto time_us = median_figure(outcome, "time");
  if (!time_us) {
    return std::nullopt;
  }
  const auto& traffic = outcome.reports.front().traffic;
  if (traffic.bytes.count == 0 && traffic.operations.count == 0) {
    return std::nullopt;  // a case of pure latency
  }
  const Seconds elapsed = Microseconds(*time_us);
  if (traffic.bound == Bound::kMemory) {
    return Rate{gb_per_s(traffic.bytes, elapsed), "GB/s"};
  }
  return Rate{gflop_per_s(traffic.operations, elapsed), traffic.integer ? "GOP/s" : "GFLOP/s"};
}

}  // namespace perfgate
