#pragma once
// What a baseline holds, as values: all that is recorded of one device model. See
// docs/reference/baseline-files.md.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/model/worker_report.h"

namespace perfgate {

constexpr int kBaselineSchemaVersion = 2;

/// What a datasheet promises.
struct Peak {
  double value = 0;  ///< in its ceiling's unit
  std::string source;
};

struct DeviceRecord {
  std::string kind;   ///< "cpu" or "cuda"
  std::string model;  ///< what the folder is named after
  std::map<Ceiling, Peak> peaks;
};

/// One visit to one device: who measured, on what, with what.
struct SessionRecord {
  std::string date;       ///< ISO 8601, UTC
  std::string device_id;  ///< the physical device: GPU UUID or machine-id
  std::string host;
  std::string commit;
  std::string libtorch;
  std::string compiler;
  std::optional<std::string> driver;
  std::optional<std::string> cuda;
  CeilingRates ceilings;  ///< of the device that day
  /// What else may change a measurement (libraries' versions, the device's limits, variables of the
  /// environment), by name; of sessions before 2026-11-27 nothing.
  std::map<std::string, std::string> settings = {};
  /// Version of the workloads' sources, by family; of those that the session measured, where known.
  std::map<std::string, std::string> workloads = {};
};

struct MetricRecord {
  bool judged = false;
  std::optional<double> tolerance;  ///< relative; only when it is not the policy's
  std::string variance_class;
  Statistic statistic = Statistic::kMedian;
};

/// Of one session: metric -> one measurement a worker, in the order of the workers.
using SessionMeasurements = std::map<Metric, std::vector<double>>;

/// What was measured: the library, and the sources of the workload.
struct Build {
  std::string libtorch;
  std::string workload;  ///< version of the case's family; empty: not known

  friend bool operator==(const Build&, const Build&) = default;
};

/// How far the processes of one session lie apart, in logs.
struct ProcessSpread {
  double slowest = 0;  ///< of the slowest process from the median; one that is faster is no finding
  double typical = 0;  ///< of the median from the best process; of metrics judged by the best
};

/// What the sessions behind the reference ones tell of one metric's noise, all that is kept of
/// them. A session's value: see session_value.h.
struct LaterSessions {
  int count = 0;
  double mean = 0;     ///< geometric, of the sessions' values, in the metric's unit
  double squares = 0;  ///< of the values' deviations from their mean, summed, in logs
  int several = 0;     ///< sessions of three processes or more, of which the next two are
  double within = 0;   ///< how well a session's own processes know its value: variances, summed
  ProcessSpread largest;
  std::optional<double> mhz;  ///< geometric mean of the sessions' clocks; of cycles
};

/// What was added on one device.
struct LaterOnDevice {
  std::string last;  ///< id of the newest of those sessions
  std::map<Metric, LaterSessions> metrics;
};

/// One accepted state of a case. The reference sessions define its mean and are kept as measured,
/// frozen; later sessions tell of the noise only, so that refreshing cannot ratchet a slow drift
/// through, and are kept as sums.
struct Revision {
  std::string reason;
  std::string date;
  std::vector<std::string> reference;  ///< session ids, at most kReferenceSessions a device and
                                       ///< those of optional metrics alone; the first
                                       ///< one recorded is the first
  /// metric -> reference session -> one measurement a worker
  std::map<Metric, std::map<std::string, std::vector<double>>> measurements;
  Tuning tuning = {};                               ///< with what every session measured
  std::map<std::string, LaterOnDevice> later = {};  ///< by device
  std::vector<Build> found_as_fast = {};            ///< see joining.h; newest last
};

constexpr int kReferenceSessions = 5;

/// What a user may be willing to ignore of a case at most, relative: a file that says more would
/// pass anything.
constexpr double kMaxTolerance = 0.25;

/// What a phase of a case is measured by, and what it runs.
struct PhaseRecord {
  Protocol protocol;
  /// As recorded when the revision began, longest first; empty: not traced.
  std::vector<KernelRecord> kernels;
};

struct CaseRecord {
  std::map<Phase, PhaseRecord> phases;  ///< at least one
  std::map<Metric, MetricRecord> metrics;
  std::vector<Revision> revisions;  ///< oldest first; the last is in force

  /// The phase's part; an empty one where it has none.
  [[nodiscard]] const PhaseRecord& phase(Phase which) const;
};

struct Baseline {
  DeviceRecord device;
  std::map<std::string, SessionRecord> sessions;
  std::map<std::string, CaseRecord> cases;
  /// Text of the sources that recorded kernels name, by version; of compiled kernels.
  std::map<std::string, std::string> kernel_sources = {};
  /// What the packages of its cases were tuned to, as their cases were measured.
  PackageTunings package_tunings = {};
};

/// All that a revision holds of one session; empty where that is nothing.
SessionMeasurements measurements_of(const Revision& revision, const std::string& session);

/// The reference sessions that have measurements of `metric`, which may be younger than its case.
std::vector<std::string> references_with(const Revision& revision, Metric metric);

/// Whether a reference session is one of more than its host passes.
bool is_whole_reference(const Revision& revision, const std::string& session);

/// Those of them that are of this device.
std::vector<std::string> references_on(const Baseline& baseline, const Revision& revision,
                                       Metric metric, const std::string& device_id);

/// How many whole reference sessions are of this device.
int whole_references_on(const Baseline& baseline, const Revision& revision,
                        const std::string& device_id);

/// With what the revision in force of a case was measured; none of a case that is not there.
Tuning tuning_of(const Baseline& baseline, const std::string& case_key);

/// The median over the newest revision's reference sessions of each one's median; nothing where
/// none has the metric.
std::optional<double> recorded_median(const CaseRecord& record, Metric metric);

/// What a ceiling read in the median of the sessions; nothing where none has it.
std::optional<double> recorded_ceiling(const Baseline& baseline, const Ceiling& ceiling);

/// The newest session of that device, or of any where it has none; null where there is none at all.
/// `before`: only what is older than that date, if any is given.
const SessionRecord* newest_session(const Baseline& baseline, const std::string& device_id,
                                    const std::string& before = "");

/// How many sessions of one device the revision rests on, reference and later ones.
int sessions_on(const Baseline& baseline, const Revision& revision, const std::string& device_id);

/// Every device that some session was measured on.
std::vector<std::string> devices_of(const Baseline& baseline);

}  // namespace perfgate
