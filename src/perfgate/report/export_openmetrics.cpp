// OpenMetrics 1.0 text: a family of samples a gauge, every sample with the same labels.

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "perfgate/report/export.h"
#include "perfgate/report/figures.h"

namespace perfgate {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string labels_of(const Run& night, const Outcome& outcome) {
  const auto& info = night.info;
  return fmt::format(R"(case="{}",model="{}",device_unit="{}",libtorch="{}",commit="{}")",
                     escaped(outcome.case_key), escaped(info.device.model), escaped(outcome.unit),
                     escaped(info.session.libtorch), escaped(info.session.commit));
}

using Figure = std::function<std::optional<double>(const Outcome&)>;

std::string gauge(const Run& night, const std::string& name, const std::string& unit,
                  const std::string& help, const Figure& figure) {
  std::string out =
      fmt::format("# TYPE {0} gauge\n# UNIT {0} {1}\n# HELP {0} {2}\n", name, unit, escaped(help));
  for (const auto& outcome : night.outcomes) {
    if (const auto value = figure(outcome)) {
      out += fmt::format("{}{{{}}} {:.9g}\n", name, labels_of(night, outcome), *value);
    }
  }
  return out;
}

Figure of_judgement(double Judgement::*member) {
  return [member](const Outcome& outcome) -> std::optional<double> {
    const auto* judgement = outcome.deciding();
    return judgement == nullptr ? std::nullopt : std::optional(judgement->*member);
  };
}

std::string verdicts(const Run& night) {
  std::string out =
      "# TYPE perfgate_verdict stateset\n# HELP perfgate_verdict What the gate said of the case.\n";
  for (const auto& outcome : night.outcomes) {
    for (const Verdict verdict : kAllVerdicts) {
      out += fmt::format("perfgate_verdict{{{},perfgate_verdict=\"{}\"}} {}\n",
                         labels_of(night, outcome), name_of(verdict),
                         verdict == outcome.verdict ? 1 : 0);
    }
  }
  return out;
}

}  // namespace

std::string open_metrics_text(const ExportInput& input) {
  const Run& night = input.night;
  return gauge(night, "perfgate_time_seconds", "seconds", "Time of one execution, as read.",
               [](const Outcome& outcome) -> std::optional<double> {
                 const auto time_us = median_figure(outcome, "time");
                 return time_us ? std::optional(*time_us * 1e-6) : std::nullopt;
               }) +
         gauge(night, "perfgate_utilisation_ratio", "ratio",
               "Achieved rate over the ceiling measured in the same run.",
               [](const Outcome& outcome) { return median_figure(outcome, "utilisation"); }) +
         gauge(night, "perfgate_change_ratio", "ratio",
               "Change of the judged figure against the baseline; above 0 is slower.",
               of_judgement(&Judgement::change)) +
         gauge(night, "perfgate_visible_slowdown_ratio", "ratio",
               "Smallest slowdown that this case would have caught with 99 % probability.",
               of_judgement(&Judgement::mde)) +
         verdicts(night) + "# EOF\n";
}

}  // namespace perfgate
