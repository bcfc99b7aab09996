// OpenMetrics 1.0 text: a family of samples a gauge, every sample with the same labels, and of what
// is judged with the metric.

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "perfgate/core/plain_text.h"
#include "perfgate/report/export.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : plain(text)) {
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
  return fmt::format(R"(case="{}",model="{}",device_id="{}")", escaped(outcome.case_key),
                     escaped(night.info.device.model), escaped(outcome.device_id));
}

// What a build is, once: as labels of every sample each commit would begin new series.
std::string build_info(const Run& night) {
  const auto& session = night.info.session;
  return fmt::format(
      "# TYPE perfgate_build info\n# HELP perfgate_build What was measured.\n"
      "perfgate_build_info{{libtorch=\"{}\",commit=\"{}\",driver=\"{}\"}} 1\n",
      escaped(session.libtorch), escaped(session.commit), escaped(session.driver.value_or("none")));
}

std::string heading_of(const std::string& name, const std::string& unit, const std::string& help) {
  return fmt::format("# TYPE {0} gauge\n# UNIT {0} {1}\n# HELP {0} {2}\n", name, unit,
                     escaped(help));
}

// Labels of a phase, where the case has parts.
std::string label_of(Phase phase) {
  return phase == Phase::kWhole ? "" : fmt::format(",phase=\"{}\"", name_of(phase));
}

using ValueOf = std::function<std::optional<double>(const Outcome&, Phase)>;

std::string gauge(const Run& night, const std::string& name, const std::string& unit,
                  const std::string& help, const ValueOf& value_of) {
  std::string out = heading_of(name, unit, help);
  for (const auto& outcome : night.outcomes) {
    for (const Phase phase : phases_of(outcome)) {
      if (const auto value = value_of(outcome, phase)) {
        out += fmt::format("{}{{{}{}}} {:.9g}\n", name, labels_of(night, outcome), label_of(phase),
                           *value);
      }
    }
  }
  return out;
}

// A sample a judged metric.
std::string gauge_of_judgements(const Run& night, const std::string& name, const std::string& help,
                                double Judgement::*member) {
  std::string out = heading_of(name, "ratio", help);
  for (const auto& outcome : night.outcomes) {
    for (const auto& judgement : outcome.judgements) {
      out += fmt::format("{}{{{},metric=\"{}\"}} {:.9g}\n", name, labels_of(night, outcome),
                         escaped(text_of(judgement.metric)), judgement.*member);
    }
  }
  return out;
}

std::string verdicts(const Run& night) {
  std::string out =
      "# TYPE perfgate_verdict stateset\n# HELP perfgate_verdict What the gate said of the case.\n";
  for (const auto& outcome : night.outcomes) {
    for (const auto& [verdict, verdict_name] : kNames<Verdict>) {
      out +=
          fmt::format("perfgate_verdict{{{},perfgate_verdict=\"{}\"}} {}\n",
                      labels_of(night, outcome), verdict_name, verdict == outcome.verdict ? 1 : 0);
    }
  }
  return out;
}

}  // namespace

std::string open_metrics_text(const ExportInput& input) {
  const Run& night = input.night;
  return build_info(night) +
         gauge(night, "perfgate_time_seconds", "seconds", "Time of one execution, as read.",
               [](const Outcome& outcome, Phase phase) -> std::optional<double> {
                 const auto time_us = median_measurement(outcome, kTime.in(phase));
                 return time_us ? std::optional(*time_us * 1e-6) : std::nullopt;
               }) +
         gauge(night, "perfgate_utilisation_ratio", "ratio",
               "Achieved rate over the ceiling measured in the same run.",
               [](const Outcome& outcome, Phase phase) {
                 return median_measurement(outcome, kUtilisation.in(phase));
               }) +
         gauge_of_judgements(night, "perfgate_change_ratio",
                             "Change of a judged metric against the baseline; above 0 is slower.",
                             &Judgement::change) +
         gauge_of_judgements(night, "perfgate_mde_ratio",
                             "Smallest slowdown that this metric would have caught with 99 % "
                             "probability.",
                             &Judgement::mde) +
         verdicts(night) + "# EOF\n";
}

}  // namespace perfgate
