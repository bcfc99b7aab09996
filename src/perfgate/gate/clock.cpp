#include "perfgate/gate/clock.h"

#include <cmath>

#include "perfgate/stats/moderation.h"

namespace perfgate {
namespace {

// Of 125 cases of products on H200s whose clock differed by more than 0.8 % (CV) within a session,
// 2026-11-22 and -23: slopes from -0.1 to 1.3.
constexpr double kUsualSlope = 0.33;
constexpr double kSlopeSpread = 0.40;

// Of one worker's cycles at one clock; those cases' are 0.03 to 0.7 %.
constexpr VariancePrior kWorkerNoise = {0.002 * 0.002, 4};

std::vector<double> log_mhz(const SessionFigures& session) {
  const auto& cycles = session.at(kCycles);
  const auto& times = session.at(kTimeOfCycles);
  std::vector<double> out;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    out.push_back(std::log(cycles[i] / times.at(i)));
  }
  return out;
}

// Sums over pairs of deviations from the means of their own session.
struct WithinSessions {
  double clock_clock = 0;
  double clock_cycles = 0;
  double cycles_cycles = 0;
  double degrees = 0;

  void add(const SessionFigures& session) {
    const auto clocks = log_mhz(session);
    const auto& cycles = session.at(kCycles);
    const double mean_clock = mean(clocks);
    const double mean_cycles = mean_log(cycles);
    for (std::size_t i = 0; i < clocks.size(); ++i) {
      const double clock = clocks[i] - mean_clock;
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
};

}  // namespace

double mean_log_mhz(const SessionFigures& session) { return mean(log_mhz(session)); }

ClockResponse fit_clock_response(const std::vector<SessionFigures>& sessions) {
  WithinSessions within;
  std::vector<double> clocks;
  for (const auto& session : sessions) {
    within.add(session);
    clocks.push_back(mean_log_mhz(session));
  }
  // Bayesian linear regression: the slope is drawn toward the usual one by as much as the clocks
  // that were seen leave it open.
  const ModeratedVariance noise = moderate(within.residuals(), kWorkerNoise);
  const double prior_weight = 1 / (kSlopeSpread * kSlopeSpread);
  const double weight = within.clock_clock / noise.variance + prior_weight;
  return {(within.clock_cycles / noise.variance + kUsualSlope * prior_weight) / weight, 1 / weight,
          noise.degrees, mean(clocks)};
}

std::vector<double> cycles_at_one_clock(const SessionFigures& session,
                                        const ClockResponse& response) {
  const auto clocks = log_mhz(session);
  std::vector<double> out = session.at(kCycles);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] *= std::exp(-response.slope * (clocks[i] - response.log_mhz));
  }
  return out;
}

}  // namespace perfgate
