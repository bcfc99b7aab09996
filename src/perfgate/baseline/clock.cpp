#include "perfgate/baseline/clock.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/moderation.h"

namespace perfgate {
namespace {

// Sums over products of deviations, in logs, from the mean of each session.
struct WithinSessions {
  double clock_clock = 0;
  double clock_cycles = 0;
  double cycles_cycles = 0;
  double degrees = 0;

  void add(const SessionMeasurements& session, Phase phase) {
    const auto clocks = clocks_mhz(session, phase);
    const auto& cycles = session.at(kCycles.in(phase));
    const double mean_clock = mean_log(clocks);
    const double mean_cycles = mean_log(cycles);
    for (std::size_t i = 0; i < clocks.size(); ++i) {
      const double clock = std::log(clocks[i]) - mean_clock;
      const double cycle = std::log(cycles[i]) - mean_cycles;
      clock_clock += clock * clock;
      clock_cycles += clock * cycle;
      cycles_cycles += cycle * cycle;
    }
    degrees += static_cast<double>(clocks.size()) - 1;
  }

  // Around the straight line that fits best.
  [[nodiscard]] SumOfSquares residuals() const {
    if (degrees <= 1 || clock_clock <= 0) {
      return {};
    }
    return {std::max(0.0, cycles_cycles - clock_cycles * clock_cycles / clock_clock), degrees - 1};
  }

  // The share of the clocks' differences that jitter does not explain.
  [[nodiscard]] double beyond_jitter(double jitter) const {
    return clock_clock <= 0 ? 0 : std::max(0.0, 1 - degrees * jitter * jitter / clock_clock);
  }
};

}  // namespace

std::vector<double> clocks_mhz(const SessionMeasurements& session, Phase phase) {
  const auto& cycles = session.at(kCycles.in(phase));
  const auto& times_us = session.at(kNetTime.in(phase));
  std::vector<double> out;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    out.push_back(cycles[i] / times_us.at(i));
  }
  return out;
}

ClockResponse fit_clock_response(const std::vector<SessionMeasurements>& sessions, Phase phase,
                                 const ClockPolicy& policy) {
  WithinSessions within;
  std::vector<double> log_mhz;
  for (const auto& session : sessions) {
    within.add(session, phase);
    log_mhz.push_back(mean_log(clocks_mhz(session, phase)));
  }
  const ModeratedVariance noise = moderate(within.residuals(), policy.worker);
  const double share = within.beyond_jitter(policy.jitter);
  const double prior_weight = 1 / (policy.slope_sd * policy.slope_sd);
  const double weight = share * within.clock_clock / noise.variance + prior_weight;
  const double slope =
      (share * within.clock_cycles / noise.variance + policy.slope * prior_weight) / weight;
  return {std::clamp(slope, 0.0, 1.0), 1 / weight, noise.degrees, mean(log_mhz)};
}

std::vector<double> cycles_at_one_clock(const SessionMeasurements& session, Phase phase,
                                        const ClockResponse& response) {
  const auto clocks = clocks_mhz(session, phase);
  std::vector<double> out = session.at(kCycles.in(phase));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] *= std::exp(-response.slope * (std::log(clocks[i]) - response.log_mhz));
  }
  return out;
}

}  // namespace perfgate
