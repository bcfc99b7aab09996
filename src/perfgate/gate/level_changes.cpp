#include "perfgate/gate/level_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "perfgate/gate/cusum.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr std::size_t kShortestLevel = 3;
constexpr double kMedianOfNormal = 0.6745;  // of the absolute value, in standard deviations
constexpr double kEfficiency = 0.37;        // of the median absolute deviation, for a normal
constexpr double kNothing = 1e6;            // noise of a reference that says nothing, in nights'

// Standard deviation of a night, whatever the levels are.
double noise_of(std::span<const double> changes) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < changes.size(); ++i) {
    steps.push_back(std::abs(changes[i] - changes[i - 1]));
  }
  return median(steps) / kMedianOfNormal / std::sqrt(2);
}

std::optional<Creep> first_creep(std::span<const NightPoint> nights, const CusumRule& rule) {
  Cusum cusum(nights.front(), rule);
  for (const auto& night : nights) {
    cusum.add(night);
    if (const auto creep = cusum.creep()) {
      return creep;
    }
  }
  return std::nullopt;
}

double absolute_deviations(std::span<const double> values) {
  const double middle = median(values);
  double out = 0;
  for (const double value : values) {
    out += std::abs(value - middle);
  }
  return out;
}

// Of the nights up to the one in which a change was found. The CUSUM clips what is far out, as the
// first night of a large step is, and may be a night off.
std::size_t first_of_new_level(std::span<const double> changes) {
  std::size_t out = kShortestLevel;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t at = kShortestLevel; at + kShortestLevel <= changes.size(); ++at) {
    const double left =
        absolute_deviations(changes.first(at)) + absolute_deviations(changes.subspan(at));
    if (left < least) {
      least = left;
      out = at;
    }
  }
  return out;
}

}  // namespace

std::vector<std::size_t> level_changes(std::span<const double> changes, double alpha) {
  std::vector<std::size_t> out;
  if (changes.size() < 2 * kShortestLevel) {
    return out;
  }
  const double noise = noise_of(changes);
  if (noise <= 0) {
    return out;
  }
  const auto nights = static_cast<double>(changes.size());
  constexpr double kAllowance = 1;  // a step of twice the noise is found soonest
  const CusumRule rule{kAllowance,
                       /*clip=*/3,
                       static_cast<int>(kShortestLevel),
                       kShortestLevel,
                       -std::numeric_limits<double>::infinity(),
                       cusum_limit(alpha / (2 * nights), kAllowance)};
  std::vector<NightPoint> slower;
  std::vector<NightPoint> faster;
  for (const double change : changes) {
    slower.push_back({{change}, noise, kNothing * noise, kEfficiency * (nights - 1)});
    faster.push_back({{-change}, noise, kNothing * noise, kEfficiency * (nights - 1)});
  }
  for (std::size_t begin = 0; begin + 2 * kShortestLevel <= changes.size();) {
    const auto up = first_creep(std::span(slower).subspan(begin), rule);
    const auto down = first_creep(std::span(faster).subspan(begin), rule);
    if (!up && !down) {
      break;
    }
    const std::size_t found =
        std::min(up ? up->found : changes.size(), down ? down->found : changes.size());
    begin += first_of_new_level(changes.subspan(begin, found + 1));
    out.push_back(begin);
  }
  return out;
}

}  // namespace perfgate
