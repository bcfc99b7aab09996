#include "perfgate/model/metric.h"

#include <algorithm>
#include <stdexcept>

namespace perfgate {

namespace {

std::string_view name_in(const OwnQuantity& own) { return own.name.data(); }

bool is_own_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  return !name.empty() && name.size() < OwnQuantity{}.name.size() &&
         kLetters.find(name.front()) != name.npos &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos &&
         !from_name<Quantity>(name);
}

// "accepted[1,higher]"
std::optional<OwnQuantity> own_from(std::string_view text) {
  const auto bracket = text.find('[');
  const auto comma = text.find(',');
  if (bracket == text.npos || comma == text.npos || comma < bracket || text.back() != ']') {
    return std::nullopt;
  }
  const auto name = text.substr(0, bracket);
  const auto unit = from_name<Unit>(text.substr(bracket + 1, comma - bracket - 1));
  const auto better = from_name<Better>(text.substr(comma + 1, text.size() - comma - 2));
  if (!is_own_name(name) || !unit || !better) {
    return std::nullopt;
  }
  return own_quantity(name, *unit, *better);
}

std::string text_of_quantity(const Metric& metric) {
  if (metric.quantity != Quantity::kOwn) {
    return std::string(name_of(metric.quantity));
  }
  return std::string(name_in(metric.own)) + "[" + std::string(name_of(metric.own.unit)) + "," +
         std::string(name_of(metric.own.better)) + "]";
}

}  // namespace

OwnQuantity own_quantity(std::string_view name, Unit unit, Better better) {
  if (!is_own_name(name)) {
    throw std::invalid_argument("\"" + std::string(name) +
                                "\" is no name of a case's own metric: lower-case letters, digits "
                                "and _, at most 31, and no name of perfgate's");
  }
  OwnQuantity out{{}, unit, better};
  std::copy(name.begin(), name.end(), out.name.begin());
  return out;
}

std::string text_of(const Metric& metric) {
  const std::string quantity = text_of_quantity(metric);
  return metric.phase == Phase::kWhole ? quantity
                                       : std::string(name_of(metric.phase)) + "." + quantity;
}

std::optional<Metric> metric_from(std::string_view text) {
  const auto dot = text.find('.');
  const bool of_a_phase = dot != std::string_view::npos;
  const auto phase =
      of_a_phase ? from_name<Phase>(text.substr(0, dot)) : std::optional(Phase::kWhole);
  const auto rest = of_a_phase ? text.substr(dot + 1) : text;
  if (!phase || (of_a_phase && *phase == Phase::kWhole)) {
    return std::nullopt;
  }
  if (const auto own = own_from(rest)) {
    return Metric{*phase, Quantity::kOwn, *own};
  }
  const auto quantity = from_name<Quantity>(rest);
  if (!quantity || *quantity == Quantity::kOwn) {
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
