#pragma once
// A CUSUM over nights of one series (a metric of a case on one device): finds a slowdown that is
// too small for any single night, or that grows a little each night. Comparing each night with the
// night before passes such a creep for ever; here every night is compared with the reference that
// stands frozen until somebody accepts another.
//
// d_i = a night's change against the reference, in logs; s_i its noise. All nights share the error
// of the reference's mean, r. A plain sum of d_i / s_i takes that error for a creep. So for each
// possible first night t of a slowdown, the mean of the nights from t on is compared with that of
// the reference and the nights before t, all weighted by 1 / variance:
//   D = mean(d_t..d_n) - mean(0 with 1 / r^2, d_1..d_t-1),  p = s^2 / variance of D,
//   S = max over t of sqrt(p) Z - k p,  Z = normal score of Student's t of D.
// With an exact reference S is Page's CUSUM, the largest sum of (d_i / s - k), which is the
// likelihood ratio of a slowdown of 2 k s. It alarms where S > h and where the mean since t exceeds
// the tolerance.
// The noise is known from few sessions. Nights' successive differences, which neither a step
// nor a creep moves much, estimate by which factor it is wrong; the baseline's estimate counts by
// its degrees of freedom. A night counts as at most `clip` standard errors away from those before
// it: an outlier alone is no creep.
// An alarm stands until a CUSUM of the opposite direction finds the series back at its old level;
// then the nights of the slowdown are left out.
//
// Sources: Page, Biometrika 41 (1954), the CUSUM; Siegmund, Sequential Analysis (1985), its run
// length; Hawkins, Technometrics 29 (1987), a reference that is itself estimated, and scores of
// Student's t; Hawkins, Qiu and Kang, J. Quality Technology 35 (2003), means before and after each
// possible change; von Neumann, Ann. Math. Statist. 12 (1941), successive differences; Lucas and
// Crosier, Comm. Statist. 11 (1982), outliers in a CUSUM.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perfgate/gate/change.h"

namespace perfgate {

/// What a night says of one series; its noise is in logs.
struct NightPoint {
  LogChange change;            ///< against the reference
  double noise = 0;            ///< standard deviation of a night's value
  double reference_noise = 0;  ///< standard error of the reference's mean
  double degrees = 0;          ///< of freedom, of both
};

struct CusumRule {
  double allowance = 0;           ///< k, in the noise of a night
  double clip = 0;                ///< in standard errors
  int least_nights = 0;           ///< of a creep
  std::size_t newest_nights = 0;  ///< that say how large it is now
  double tolerance = 0;           ///< in logs; a smaller mean change is none
  double limit = 0;               ///< h, in the noise of a night
};

struct Creep {
  std::size_t since = 0;  ///< the most likely first night of it
  std::size_t found = 0;  ///< the night in which the sum crossed the limit
  LogChange change;       ///< mean of the newest nights of it
};

/// The limit at which a series without a change alarms in one of 1 / `share` nights on average, by
/// Siegmund's approximation: (exp(2 k b) - 2 k b - 1) / (2 k^2) nights, b = h + 1.166.
double cusum_limit(double share, double allowance);

/// One series, night by night.
class Cusum {
 public:
  /// `reference`: what a night says of the reference's noise.
  Cusum(const NightPoint& reference, const CusumRule& rule);
  void add(const NightPoint& night);
  /// The creep that stands after the last night. Nothing where there is none.
  [[nodiscard]] std::optional<Creep> creep() const;

 private:
  // All nights that count, up to one of them.
  struct Sums {
    double change = 0;    // of the last of them, clipped
    double variance = 0;  // of that
    double precision = 0;
    double weighted = 0;     // sum of precision * change
    double differences = 0;  // sum of squares of successive differences, each over its variance
  };
  struct Level {
    double mean = 0;
    double precision = 0;  // by the noise that the baseline says
  };
  struct Noise {
    double factor = 1;  // of variances, over what the baseline says
    double degrees = 0;
  };
  struct Found {
    std::size_t first = 0;  // of the counted nights
    double old = 0;         // the level before it
    double slower_by = 0;   // than that, on the night on which it was found
    double noise_factor = 1;
  };

  [[nodiscard]] Level before(std::size_t first) const;
  [[nodiscard]] Level since(std::size_t first) const;
  [[nodiscard]] Noise noise(std::size_t first) const;
  void count(std::size_t which);
  void look();
  bool is_back();

  CusumRule rule_;
  double reference_precision_;
  double degrees_;
  std::vector<NightPoint> nights_;
  std::vector<std::size_t> counted_;  // of nights_
  std::vector<Sums> sums_ = {{}};     // behind so many counted nights
  std::optional<Creep> creep_;
  Found found_;                  // of the creep that stands
  double back_ = 0;              // the CUSUM back to the level before it, a log likelihood ratio
  std::size_t nights_back_ = 0;  // that are in that sum
};

/// The creep that stands after the last of these nights, which are in their order and of one
/// reference. Nothing where there is none.
std::optional<Creep> find_creep(std::span<const NightPoint> nights, const CusumRule& rule);

}  // namespace perfgate
