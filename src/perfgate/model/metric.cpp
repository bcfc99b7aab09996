#include "perfgate/model/metric.h"

namespace perfgate {

std::string text_of(const Metric& metric) {
  const std::string quantity(name_of(metric.quantity));
  return metric.phase == Phase::kWhole ? quantity
                                       : std::string(name_of(metric.phase)) + "." + quantity;
}

std::optional<Metric> metric_from(std::string_view text) {
  const auto dot = text.find('.');
  const bool of_a_phase = dot != std::string_view::npos;
  const auto phase =
      of_a_phase ? from_name<Phase>(text.substr(0, dot)) : std::optional(Phase::kWhole);
  const auto quantity = from_name<Quantity>(of_a_phase ? text.substr(dot + 1) : text);
  if (!phase || !quantity || (of_a_phase && *phase == Phase::kWhole)) {
    return std::nullopt;
  }
  return Metric{*phase, *quantity};
}

std::string prefix_of(Phase phase) {
  return phase == Phase::kWhole ? "" : std::string(name_of(phase)) + ": ";
}

std::string key_of_phase(const std::string& case_key, Phase phase) {
  return phase == Phase::kWhole ? case_key : case_key + "/" + std::string(name_of(phase));
}

}  // namespace perfgate
