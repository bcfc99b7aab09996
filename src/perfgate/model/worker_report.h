#pragma once
// What one worker says of one case: the only thing that travels from measuring to judging. Both
// halves depend on this file and on nothing of each other.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "perfgate/core/units.h"

namespace perfgate {

enum class Better { kLower, kHigher };

/// What makes figures comparable, by name (samples, flush, threads, control...). A figure of one
/// protocol is never compared with a figure of another.
using ProtocolSetting = std::variant<bool, std::int64_t, std::string>;
using Protocol = std::map<std::string, ProtocolSetting>;

/// What a session's workers make together.
enum class Statistic {
  kMedian,  ///< the median of them: two of five may be anything
  kBest,    ///< the best of them: where a process draws one of several modes, a mode that never
            ///< comes back is what got slower
};

/// Two metrics that are looked at together: cycles over net time, in us, are the clock, in MHz.
constexpr const char* kCycles = "sm_cycles";
constexpr const char* kNetTime = "net_time";
/// How far a process's own samples spread: their interquartile range, relative. Recorded, never
/// judged: it tells what a case is like where nobody disturbs it.
constexpr const char* kSampleSpread = "sample_spread";

/// The one setting of a protocol that the case makes and not perfgate: whether its body can be
/// queued whole before it runs.
constexpr const char* kHeld = "held";

/// One metric of one worker.
struct Reading {
  double figure = 0;
  std::string unit;
  Better better = Better::kLower;
  bool judged = false;         ///< the backend's proposal; the baseline's word is final
  std::string variance_class;  ///< device kind/bound/length: whose noise this metric shares
  Statistic statistic = Statistic::kMedian;
  std::optional<double> tolerance = std::nullopt;  ///< relative; only when it is not the policy's
  bool derived = false;  ///< follows from others: shown, never recorded; may be 0, as a gap is
};

/// The largest errors of a case's output against its reference.
struct Accuracy {
  double max_absolute = 0;
  double max_relative = 0;                ///< to what was expected; where that was 0, beyond 1e100
  std::vector<std::int64_t> worst_index;  ///< where the error exceeds (or comes nearest) its bound
  double worst_actual = 0;
  double worst_expected = 0;
  double allowed_at_worst = 0;
  std::int64_t wrong_elements = 0;
  std::int64_t elements = 0;
};

/// One kernel of a case's body, as a trace shows it: what ran, how often, for how long.
struct KernelRecord {
  std::string name;        ///< without what changes from build to build
  std::int64_t count = 0;  ///< launches in one execution of the body
  double busy_us = 0;      ///< of all of them together
  std::array<std::int64_t, 3> grid{};
  std::array<std::int64_t, 3> block{};
  std::int64_t registers = 0;     ///< a thread
  std::int64_t shared_bytes = 0;  ///< a block
  std::int64_t local_bytes = 0;   ///< a thread; more than none means spills
};

/// What preparing a case searched for, by name, with what decides whether it still holds, such as a
/// library's version. Later workers of the case are told, and need not search again.
using Tuning = std::map<std::string, std::string>;

enum class WorkerStatus {
  kMeasured,
  kWrong,        ///< the numbers differ from the reference; figures must not be judged
  kUnsupported,  ///< this device or build cannot run the case
  kError,        ///< anything else: an exception, out of memory, a signal, a time-out
};

struct WorkerReport {
  std::string case_key;
  WorkerStatus status = WorkerStatus::kError;
  std::string message;  ///< reason of every status but kMeasured, in the library's own words
  std::map<std::string, Reading> metrics;
  Protocol protocol;
  Traffic traffic;  ///< what the case declared
  /// Every sample, by series. What a CPU is judged by goes by the metric's name; others have their
  /// unit in it.
  std::map<std::string, std::vector<double>> samples;
  std::map<std::string, double> ceilings;  ///< rates of the device measured here, unit in name
  std::map<std::string, double> costs_s;   ///< where the worker's time went, by phase
  std::map<std::string, std::string> environment;  ///< what only the worker knows: libtorch, clocks
  std::vector<KernelRecord> kernels;     ///< longest first; empty where nothing was traced
  std::optional<std::string> objection;  ///< why the device was not fit while this was measured
  std::optional<Accuracy> accuracy;
  std::optional<double> planted_percent;  ///< what --inject_slowdown really added
  Tuning tuning;                          ///< of the case, found or told; mostly none
  /// What the case is, by the words of the benchmark that it comes from.
  std::map<std::string, ProtocolSetting> parameters;
  /// Key of the case whose time over this one's is a speed-up; or empty.
  std::string compared_with;
  bool noisy = false;  ///< too many samples had to be discarded
  std::int64_t discarded = 0;
};

}  // namespace perfgate
