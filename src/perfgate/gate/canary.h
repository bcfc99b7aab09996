#pragma once
// A night tests itself: a few cases that passed are gated once more. In some of them extra work is
// injected, and that must be found; the others are repeated as they are (A/A), and must pass again.
// Otherwise a gate that has gone blind, or alarms at random, would look like a quiet night.
//
// How much is injected. A slowdown of the MDE is missed with 1 % by definition, so that a fit gate
// would miss one canary of a hundred. A canary is therefore slowed by
//
//   exp(log(1 + threshold) + t SE) - 1
//
// with Student's t at the miss probability that is wanted, for the degrees of freedom of the
// judge's own SE: the change that is found is spread about the true one as t is, in units of SE.
// An A/A repeat needs no allowance: it is found slower, or faster, no more often each than its
// share of the night's false-alarm budget says, or, on a device that the baseline does not know,
// suspected no more often than the policy's suspect_p_value. UNSTEADY has no such probability:
// its limit is a multiple of what recorded sessions show.

#include <array>
#include <optional>
#include <string>

#include "perfgate/core/enum_names.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

enum class CanaryResult {
  kFound,      ///< the injected work was: REGRESSED, or UNSTEADY
  kMissed,     ///< it was not
  kUnchanged,  ///< an A/A repeat passed again
  kAlarm,      ///< an A/A repeat did not, or a case came out wrong or not at all
  kVoid,       ///< others disturbed it, or less was injected than had to be found
};
template <>
inline constexpr EnumNames<CanaryResult, 5> kNames<CanaryResult> = {
    {{CanaryResult::kFound, "found"},
     {CanaryResult::kMissed, "missed"},
     {CanaryResult::kUnchanged, "unchanged"},
     {CanaryResult::kAlarm, "alarm"},
     {CanaryResult::kVoid, "void"}}};

/// Work that is injected into a canary.
struct Injection {
  Metric metric;     ///< of the case's judged ones, the one that needs least
  double mde = 0;    ///< relative; that metric's, when the case passed
  double least = 0;  ///< relative; so much has to be found
};

struct Canary {
  Outcome outcome;                     ///< of gating it once more
  std::optional<Injection> injection;  ///< nothing: an A/A repeat
  CanaryResult result = CanaryResult::kVoid;
};

/// Injected work is sized to about a twentieth (measure/cuda_injection.cpp), so so many times the
/// least that has to be found is asked for.
constexpr double kInjectedOverLeast = 1.05;

/// Whether injected work slows this metric: it is in what the device takes. The host only queues
/// it, no memory is held for it, and compile time is not measured tonight at all.
bool shows_injected_work(Metric metric);

/// The probability with which one canary may be missed, so that a night misses as many as the
/// policy says: a night of `night_cases` cases of which `share` are canaries, half of them with
/// injected work. At most what the MDE itself leaves.
double miss_probability(const Policy& policy, std::size_t night_cases, double share);

/// What to inject into a case that passed. Nothing where no judged metric shows injected work, as
/// of host time, or where more than tenfold would be needed.
std::optional<Injection> injection_for(const Outcome& passed, double miss_probability);

/// Median over the processes of what came to a phase, of its own time; nothing where nothing was
/// injected.
std::optional<double> injected_share(const Outcome& outcome, Phase phase);

/// What gating it once more says of the gate.
CanaryResult result_of(const Outcome& outcome, const std::optional<Injection>& injection);

/// Whether the gate is not to be believed tonight.
constexpr bool makes_unfit(CanaryResult result) {
  return result == CanaryResult::kMissed || result == CanaryResult::kAlarm;
}

}  // namespace perfgate
