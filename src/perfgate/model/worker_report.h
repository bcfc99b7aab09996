#pragma once
// What one worker says of one case: the only thing that travels from measuring to judging. Both
// halves depend on this file and on nothing of each other.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/model/ceiling.h"
#include "perfgate/model/kernel_record.h"
#include "perfgate/model/metric.h"
#include "perfgate/model/package_tuning.h"

namespace perfgate {

/// What makes measurements comparable, by name (samples, flush, threads, control...). A measurement
/// of one protocol is never compared with a measurement of another.
using ProtocolSetting = std::variant<bool, std::int64_t, std::string>;
using Protocol = std::map<std::string, ProtocolSetting>;

/// What a session's workers make together.
enum class Statistic {
  kMedian,  ///< the median of them: two of five may be anything
  kBest,    ///< the best of them: where a process draws one of several modes, a mode that never
            ///< comes back is what got slower
};
template <>
inline constexpr EnumNames<Statistic, 2> kNames<Statistic> = {
    {{Statistic::kMedian, "median"}, {Statistic::kBest, "best"}}};

/// The one setting of a protocol that the case makes and not perfgate: whether its body can be
/// queued whole before it runs.
constexpr const char* kQueuedWhole = "queued_whole";

/// How a host pass was measured, where one was: the setting of its metrics alone.
constexpr const char* kHostPass = "host_pass";

/// The setting by which an optional metric was measured; null for all others. It is no part of what
/// those are compared by, so that cases which were recorded without it still are.
constexpr const char* own_setting(Quantity quantity) {
  return is_optional(quantity) ? kHostPass : nullptr;
}

/// One metric of one worker.
struct Measurement {
  double value = 0;            ///< in the metric's unit
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

/// Why nothing was traced where the device's kernels could be.
struct NoTrace {
  std::string why;
};

/// What a trace of the body shows, longest kernel first, or why there is none.
using Trace = std::variant<std::vector<KernelRecord>, NoTrace>;

/// One tensor that a case gives back.
struct OutputReport {
  bool contiguous = true;
  std::optional<Accuracy> accuracy = std::nullopt;  ///< where this worker was to check it
};

/// What a worker says of one phase of its case, beside its metrics.
struct PhaseReport {
  Protocol protocol;
  Traffic traffic;  ///< what the case declared
  /// Every sample, by series. What a CPU is judged by goes by the quantity's name; others have
  /// their unit in it.
  std::map<std::string, std::vector<double>> samples;
  std::optional<Trace> trace;  ///< nothing where the device has none to take
  std::vector<OutputReport> outputs;
  std::optional<double> injected_percent;  ///< what --inject_slowdown really added
  bool noisy = false;                      ///< too many samples had to be discarded
  std::int64_t discarded = 0;
  CeilingRates ceilings;  ///< of the device, measured with this phase: its controls, its floor
};

/// What preparing a case searched for, by name, with what decides whether it still holds, such as a
/// library's version. Later workers of the case are told, and need not search again.
using Tuning = std::map<std::string, std::string>;

enum class WorkerStatus {
  kMeasured,
  kWrong,        ///< the numbers differ from the reference; measurements must not be judged
  kUnsupported,  ///< this device or build cannot run the case
  kError,        ///< anything else: an exception, out of memory, a signal, a time-out
};
template <>
inline constexpr EnumNames<WorkerStatus, 4> kNames<WorkerStatus> = {
    {{WorkerStatus::kMeasured, "measured"},
     {WorkerStatus::kWrong, "wrong"},
     {WorkerStatus::kUnsupported, "unsupported"},
     {WorkerStatus::kError, "error"}}};

struct WorkerReport {
  std::string case_key;
  WorkerStatus status = WorkerStatus::kError;
  std::string message;  ///< reason of every status but kMeasured, in the library's own words
  std::map<Metric, Measurement> metrics;
  std::map<Phase, PhaseReport> phases;
  CeilingRates ceilings;                           ///< of the device, where they were asked for
  std::map<std::string, double> costs_s;           ///< where the worker's time went, by step
  std::map<std::string, std::string> environment;  ///< for people: libtorch, clocks, temperature
  std::optional<double> killed_after_s;  ///< it was killed, since it had not reported by then
  std::optional<std::string> why_unfit;  ///< why the device was not fit while this was measured
  Tuning tuning;                         ///< of the case, found or told; mostly none
  /// What the case is, by the words of the benchmark that it comes from.
  std::map<std::string, ProtocolSetting> parameters;
  /// Key of the case whose time over this one's is a speed-up; or empty.
  std::string compared_with;
  /// Text of the sources that its kernels name, by version; of compiled kernels.
  std::map<std::string, std::string> kernel_sources = {};
  /// Of the package that it loads; empty where that has no Triton kernels, or says nothing of them.
  PackageTunings package_tunings = {};

  /// The phase's part; an empty one where it has none.
  [[nodiscard]] const PhaseReport& phase(Phase which) const;
};

/// Version of the LibTorch that it was measured with; "unknown" of a worker that did not come so
/// far.
std::string libtorch_of(const WorkerReport& report);

/// Version of Triton by which the package that it loads was compiled; nothing without one.
std::optional<std::string> triton_of(const WorkerReport& report);

/// What the processes that measured the metric report of it.
std::vector<double> measurements_of(const std::vector<WorkerReport>& reports, Metric metric);

/// Whether too many samples of any of its phases had to be discarded.
bool is_noisy(const WorkerReport& report);

/// The protocol of all metrics that are not optional.
Protocol without_own_settings(Protocol protocol);

/// How an optional metric was measured; nothing where it was not.
std::optional<std::string> own_setting_of(const Protocol& protocol, Quantity quantity);

/// Whether measurements of both protocols may be compared: they are the same but for kQueuedWhole,
/// which the case makes, and the optional metrics' own settings.
bool is_same_protocol(Protocol a, Protocol b);

/// Whether this phase's body can be queued whole before it runs; nothing where its protocol does
/// not say so, as on a CPU.
std::optional<bool> is_queued_whole(const Protocol& protocol);

/// The kernels of a phase that was traced, else none.
const std::vector<KernelRecord>& kernels_of(const PhaseReport& phase);

/// Why the phase was not traced, where it could have been.
std::optional<std::string> why_untraced(const PhaseReport& phase);

}  // namespace perfgate
