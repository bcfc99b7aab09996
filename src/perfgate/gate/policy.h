#pragma once
// Every number that a verdict depends on, in one place: baselines/policy.json, where each stands
// beside its source. The judge takes a Policy and knows no number of its own. How many sessions and
// processes a baseline keeps is a matter of its files (baseline/).

#include <limits>
#include <map>
#include <optional>
#include <string>

#include "perfgate/baseline/clock.h"
#include "perfgate/core/json.h"
#include "perfgate/stats/moderation.h"

namespace perfgate {

/// How values of a class go with how fast a device reads DRAM (gate/dram_response.h).
struct DramPolicy {
  VariancePrior device;  ///< variance between devices that read DRAM equally fast
  double slope_sd = 0;   ///< between cases, of log values over log rates; their mean is 0
};

/// How cases of a class are judged beside each other on a device that is not known
/// (gate/device_effect.h).
struct DeviceEffectPolicy {
  double degrees = 0;      ///< of freedom, that the variance is worth which is left between devices
  double second_look = 0;  ///< of the metric's part of the false-alarm budget, the second look's
};

/// From what on recorded devices have effects, and how far out another device's may be
/// (gate/device_effect.h).
struct EffectsPolicy {
  int least_links = 0;    ///< cases that two sets of devices have in common, to be compared
  int least_devices = 0;  ///< of a group
  double outside = 0;     ///< probability at either end, that another device's lies beyond
  std::string source;
};

/// What is assumed of one class of metrics (device kind/bound/length) until a baseline file holds
/// enough sessions to tell by itself.
struct ClassPolicy {
  VariancePrior session;  ///< variance between sessions, of the log measurement
  VariancePrior device;   ///< variance between devices of one model, of the log measurement
  std::string source;
  std::optional<DramPolicy> dram = {};                   ///< of what waits for memory
  std::optional<DeviceEffectPolicy> device_effect = {};  ///< of what a device slows alike
  /// So many times the variance that a case's processes let expect of its session's value is added
  /// to `session`: machines of one kind need not be equally noisy.
  double process_multiple = 0;
};

/// When a machine that others may use is not to be believed; all relative. By default it is.
struct MachinePolicy {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double tolerance = kNever;              ///< a ceiling that is further off invalidates the machine
  double interference_limit = kNever;     ///< one whose median of the processes is, a change
  double within_process_spread = kNever;  ///< so does a wider interquartile range of a process's
                                          ///< samples (median too)
  double largest_ratio =
      1;  ///< but only changes of at most so many times what is off, or that range
  double own_spread_ratio = 1;    ///< and no range of at most so many times the case's recorded one
  double largest_noise = kNever;  ///< what others make of a night against its reference at most
  std::string source;
};

/// When a host's time over its control's is not to be believed; relative. By default it is.
struct HostPolicy {
  double interference_limit = MachinePolicy::kNever;  ///< a control that is further off explains
                                                      ///< a change
  double largest_ratio = 1;  ///< but only one of at most so many times what it is off
  std::string source;
};

/// How far the processes of one session may lie apart (gate/spread.h).
struct SpreadPolicy {
  double multiple = 0;  ///< of the largest spread that a recorded session of the group has
  double least = 0;     ///< relative; a smaller spread is never too large
  double unknown = 0;   ///< relative; the limit of a group with fewer sessions than the next says
  int sessions = 0;
  std::string source;
};

/// The smallest slowdown that a case has to be able to show, relative; a case that cannot is BLIND.
struct MdeLimits {
  double known = 0;    ///< on a device that is compared with itself
  double unknown = 0;  ///< on any other; 1, a doubling, at most
  std::string source;

  [[nodiscard]] double at(bool known_device) const { return known_device ? known : unknown; }
};

/// How the first slow one of many builds is found (gate/bisection.h).
struct BisectPolicy {
  double confidence = 0;     ///< posterior probability with which it ends
  double several = 0;        ///< prior probability that builds change at two places
  int first_most_pairs = 0;  ///< of the oldest build and the newest, after which no regression is
                             ///< found
  int most_pairs = 0;        ///< in all, after which what is undecided stays so
  int build_cost_pairs = 0;  ///< how many pairs could be measured while a build is made
  std::string source;
};

/// How two builds are compared on one device (gate/paired_rule.h).
struct PairedPolicy {
  int first_pairs = 0;                      ///< before the first look at them
  int most_pairs = 0;                       ///< after which a case that is still undecided stays so
  std::map<std::string, double> tolerance;  ///< by device kind; relative slowdown to ignore
  std::string source;
  BisectPolicy bisect = {};
  /// By device kind; the most degrees of freedom that the noise of sessions is worth as that of
  /// pairs, of which a machine's own soon tell more.
  std::map<std::string, double> prior_degrees = {};

  /// Infinite for a kind without any.
  [[nodiscard]] double prior_degrees_of(const std::string& device_kind) const;
  /// Throws UsageError naming what is possible when `device_kind` has none.
  [[nodiscard]] double tolerance_of(const std::string& device_kind) const;
};

/// How a night tests itself (gate/canary.h).
struct CanaryPolicy {
  double missed_a_night = 0;  ///< how many injected slowdowns a gate that is fit misses, on average
  std::string source;
};

/// When all cases of a family and class are slower together (gate/global_change.h).
struct GlobalPolicy {
  int least_cases = 0;                      ///< of a group
  std::map<std::string, double> tolerance;  ///< by device kind; relative slowdown to ignore
  std::string source;

  /// Throws UsageError naming what is possible when `device_kind` has none.
  [[nodiscard]] double tolerance_of(const std::string& device_kind) const;
};

/// When a series of nights has become slower, by a CUSUM (gate/cusum.h).
struct CreepPolicy {
  double false_alarms_a_night = 0;  ///< probability; shared among the metrics of a night
  double allowance = 0;  ///< in a night's noise, of each night: half the step that is found soonest
  double clip = 0;       ///< in standard errors; a night that is further off counts as that
  int least_nights = 0;  ///< of a creep
  int newest_nights = 0;                    ///< that say how large it is now
  std::map<std::string, double> tolerance;  ///< by device kind; relative slowdown to ignore
  std::string source;

  /// Throws UsageError naming what is possible when `device_kind` has none.
  [[nodiscard]] double tolerance_of(const std::string& device_kind) const;
};

struct Policy {
  double false_alarms_a_night = 0;  ///< probability; shared among the metrics that a night judges
  double suspect_p_value = 0;  ///< one-sided; a slowdown that is less likely by noise, on a device
                               ///< that the baseline does not know, is SUSPECT
  double detection_probability = 0;  ///< with which a slowdown of the MDE is caught
  int workers_a_session = 0;
  double screening_share = 0;  ///< of its threshold: beyond it a change is measured by a session
  int attempts = 0;  ///< at a machine that is unfit, and at a change that others may have made
  int undisturbed_workers = 0;    ///< so many disagree, or none do that others did not disturb
  int known_device_sessions = 0;  ///< from how many of its own on a device tells whether another
                                  ///< build is as fast (baseline/joining.h)
  int fit_cases = 0;              ///< from how many repeated cases on a family or class has a prior
                                  ///< of its own
  double max_prior_degrees = 0;   ///< cap on what a fitted prior may claim to know
  /// By device kind. Kinds without one have their ceilings judged as cases.
  std::map<std::string, MachinePolicy> machine;
  HostPolicy host;
  std::map<std::string, SpreadPolicy> spread;   ///< by device kind
  std::map<std::string, MdeLimits> mde_limits;  ///< by device kind
  int unjudged_nights = 0;  ///< after so many nights without a judgement a case fails
  double blind_share =
      0;  ///< a run of whose judged cases more than this share is BLIND says nothing
  double dram_alike = 0;         ///< relative; devices read DRAM as fast where they differ by less
  double busy_spread_ratio = 0;  ///< busy time is judged where net time spreads so many times wider
  double busy_least_spread = 0;  ///< ... and at least this much, relatively, between processes
  double net_tolerance = 0;      ///< relative; of the best net time, where busy time is judged
  std::map<std::string, double> tolerance;  ///< by device kind; relative slowdown to ignore
  ClockPolicy clock;
  EffectsPolicy effects;
  PairedPolicy paired;
  CanaryPolicy canaries;
  GlobalPolicy global;
  CreepPolicy creep;
  std::map<std::string, ClassPolicy> classes;

  /// Throws UsageError naming what is possible when `device_kind` has no tolerance.
  [[nodiscard]] double tolerance_of(const std::string& device_kind) const;
  /// Throws as tolerance_of does.
  [[nodiscard]] const SpreadPolicy& spread_of(const std::string& device_kind) const;
  [[nodiscard]] const MdeLimits& mde_limit_of(const std::string& device_kind) const;
  /// The default for a kind that has none.
  [[nodiscard]] MachinePolicy machine_of(const std::string& device_kind) const;
  [[nodiscard]] const ClassPolicy& class_of(const std::string& variance_class) const;
};

/// Throws UsageError naming file, JSON pointer and reason.
Policy policy_from_json(const JsonCursor& cursor);

}  // namespace perfgate
