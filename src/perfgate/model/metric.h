#pragma once
// What is measured. A metric is a quantity of a phase: its name, its unit and which way is better
// are said here and nowhere else, so that no file can call a slowdown an improvement.

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/core/enum_names.h"
#include "perfgate/core/units.h"

namespace perfgate {

/// A part of a case that is prepared, timed, judged, checked and explained by itself.
enum class Phase {
  kWhole,  ///< of a case that has no parts
  kForward,
  kBackward,
  kPrefill,
  kDecode,
  kCompile,  ///< making the package that the case loads: before this run, by the exporter
};
template <>
inline constexpr EnumNames<Phase, 6> kNames<Phase> = {{{Phase::kWhole, "whole"},
                                                       {Phase::kForward, "forward"},
                                                       {Phase::kBackward, "backward"},
                                                       {Phase::kPrefill, "prefill"},
                                                       {Phase::kDecode, "decode"},
                                                       {Phase::kCompile, "compile"}}};

enum class Better { kLower, kHigher };
template <>
inline constexpr EnumNames<Better, 2> kNames<Better> = {
    {{Better::kLower, "lower"}, {Better::kHigher, "higher"}}};

enum class Quantity {
  kBusyTime,      ///< the device is busy with the body's kernels
  kGap,           ///< the device idles between the first and the last of them
  kHostTime,      ///< the host takes to queue the body
  kLaunches,      ///< kernels, copies and sets of one execution
  kNetTime,       ///< between two events on the device, without what the events take themselves
  kSampleSpread,  ///< relative interquartile range of a process's own samples: what a case is like
                  ///< where nobody disturbs it
  kCycles,        ///< of the SM clock; over net time, in us, they are the clock, in MHz
  kTime,          ///< as read from a clock, nothing subtracted
  kUtilisation,   ///< achieved rate over a ceiling's
  kPeakMemory,    ///< bytes of the device that LibTorch had allocated at most
  kHostControl,   ///< the host takes for a stand-in for one operator (HostControl)
  kRelativeHostTime,  ///< host time over that
  kEnqueueTime,       ///< the host takes to queue the body, on one core, in a host pass: of bodies
                      ///< that the device does not run for much longer
  kRelativeEnqueueTime,  ///< that over the control's
  kOwn,                  ///< what a case measures itself: an OwnQuantity says what
};
template <>
inline constexpr EnumNames<Quantity, 15> kNames<Quantity> = {
    {{Quantity::kBusyTime, "busy_time"},
     {Quantity::kGap, "gap"},
     {Quantity::kHostTime, "host_time"},
     {Quantity::kLaunches, "launches"},
     {Quantity::kNetTime, "net_time"},
     {Quantity::kSampleSpread, "sample_spread"},
     {Quantity::kCycles, "sm_cycles"},
     {Quantity::kTime, "time"},
     {Quantity::kUtilisation, "utilisation"},
     {Quantity::kPeakMemory, "peak_memory"},
     {Quantity::kHostControl, "host_control"},
     {Quantity::kRelativeHostTime, "relative_host_time"},
     {Quantity::kEnqueueTime, "enqueue_time"},
     {Quantity::kRelativeEnqueueTime, "relative_enqueue_time"},
     {Quantity::kOwn, "own"}}};

constexpr Unit unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kLaunches:
    case Quantity::kOwn:
      return Unit::kCount;
    case Quantity::kCycles:
      return Unit::kCycles;
    case Quantity::kSampleSpread:
    case Quantity::kUtilisation:
      return Unit::kRatio;
    case Quantity::kRelativeHostTime:
    case Quantity::kRelativeEnqueueTime:
      return Unit::kControls;
    case Quantity::kPeakMemory:
      return Unit::kBytes;
    case Quantity::kBusyTime:
    case Quantity::kGap:
    case Quantity::kHostTime:
    case Quantity::kHostControl:
    case Quantity::kEnqueueTime:
    case Quantity::kNetTime:
    case Quantity::kTime:
      break;
  }
  return Unit::kMicroseconds;
}

constexpr Better better_of(Quantity quantity) {
  return quantity == Quantity::kUtilisation ? Better::kHigher : Better::kLower;
}

/// Whether a baseline keeps it although it is not judged: a later judge, or the check of a case's
/// control, needs it.
constexpr bool is_always_recorded(Quantity quantity) {
  return quantity == Quantity::kTime || quantity == Quantity::kNetTime ||
         quantity == Quantity::kCycles || quantity == Quantity::kSampleSpread ||
         quantity == Quantity::kHostControl;
}

/// Measured in a host pass (measure/host_pass.h) alone, which not every process makes.
constexpr bool is_of_host_pass(Quantity quantity) {
  return quantity == Quantity::kEnqueueTime || quantity == Quantity::kRelativeEnqueueTime;
}

/// Not every process measures it. It has a setting of the protocol and references of its own, so
/// that it comes and goes without touching what else is recorded of a case.
constexpr bool is_optional(Quantity quantity) { return is_of_host_pass(quantity); }

/// The host's time over that of the control beside it, which tells of others on its processor.
constexpr bool is_over_host_control(Quantity quantity) {
  return quantity == Quantity::kRelativeHostTime || quantity == Quantity::kRelativeEnqueueTime;
}

/// What a case measures itself, beside its time: accepted tokens, bytes sent, messages. Unit and
/// direction are part of its name, so that whoever reads a file needs no case.
struct OwnQuantity {
  std::array<char, 32> name = {};  ///< ended by a 0
  Unit unit = Unit::kCount;
  Better better = Better::kLower;

  friend constexpr auto operator<=>(const OwnQuantity&, const OwnQuantity&) = default;  // NOLINT
};

/// Of lower-case letters, digits and "_", a letter first, at most 31, and no name of a Quantity.
/// Throws std::invalid_argument for another name.
OwnQuantity own_quantity(std::string_view name, Unit unit, Better better);

struct Metric {
  Phase phase = Phase::kWhole;
  Quantity quantity = Quantity::kTime;
  OwnQuantity own = {};  ///< of kOwn

  /// The same quantity of another phase.
  [[nodiscard]] constexpr Metric in(Phase other) const { return {other, quantity, own}; }
  friend constexpr auto operator<=>(const Metric&, const Metric&) = default;  // NOLINT: no 0
};

/// Of a case without parts; `kNetTime.in(phase)` is another phase's.
inline constexpr Metric kBusyTime{Phase::kWhole, Quantity::kBusyTime};
inline constexpr Metric kGap{Phase::kWhole, Quantity::kGap};
inline constexpr Metric kHostTime{Phase::kWhole, Quantity::kHostTime};
inline constexpr Metric kLaunches{Phase::kWhole, Quantity::kLaunches};
inline constexpr Metric kNetTime{Phase::kWhole, Quantity::kNetTime};
inline constexpr Metric kSampleSpread{Phase::kWhole, Quantity::kSampleSpread};
inline constexpr Metric kCycles{Phase::kWhole, Quantity::kCycles};
inline constexpr Metric kTime{Phase::kWhole, Quantity::kTime};
inline constexpr Metric kUtilisation{Phase::kWhole, Quantity::kUtilisation};
inline constexpr Metric kPeakMemory{Phase::kWhole, Quantity::kPeakMemory};
inline constexpr Metric kHostControl{Phase::kWhole, Quantity::kHostControl};
inline constexpr Metric kRelativeHostTime{Phase::kWhole, Quantity::kRelativeHostTime};
inline constexpr Metric kEnqueueTime{Phase::kWhole, Quantity::kEnqueueTime};
inline constexpr Metric kRelativeEnqueueTime{Phase::kWhole, Quantity::kRelativeEnqueueTime};

constexpr Unit unit_of(const Metric& metric) {
  return metric.quantity == Quantity::kOwn ? metric.own.unit : unit_of(metric.quantity);
}
constexpr Better better_of(const Metric& metric) {
  return metric.quantity == Quantity::kOwn ? metric.own.better : better_of(metric.quantity);
}

/// "net_time"; of a phase "backward.net_time"; a case's own "decode.accepted[1,higher]". Keys of
/// JSON objects, and what people read.
std::string text_of(const Metric& metric);
/// What text_of wrote, or nothing.
std::optional<Metric> metric_from(std::string_view text);

/// Before what is said of a phase: "backward: "; empty where the case has no parts.
std::string prefix_of(Phase phase);

/// The case's key; of a phase "lstm/cudnn/backward".
std::string key_of_phase(const std::string& case_key, Phase phase);

}  // namespace perfgate
