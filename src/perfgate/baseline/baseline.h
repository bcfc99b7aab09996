#pragma once
// What a baseline file holds, as values. One file is one device model; see baselines/README.md.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/model/worker_report.h"

namespace perfgate {

constexpr int kBaselineSchemaVersion = 1;

/// What a datasheet promises.
struct Peak {
  double value = 0;  ///< in the unit that its ceiling's name says
  std::string source;
};

struct DeviceRecord {
  std::string kind;                   ///< "cpu" or "cuda"
  std::string model;                  ///< what the file is named after
  std::map<std::string, Peak> peaks;  ///< by ceiling
};

/// One visit to one device: who measured, on what, with what.
struct SessionRecord {
  std::string date;  ///< ISO 8601, UTC
  std::string unit;  ///< the physical device: GPU UUID or machine-id
  std::string host;
  std::string commit;
  std::string libtorch;
  std::string compiler;
  std::optional<std::string> driver;
  std::optional<std::string> cuda;
  std::map<std::string, double> ceilings;  ///< rates of the device that day, unit in name
  /// Version of the workloads' sources, by family; of those that the session measured, where known.
  std::map<std::string, std::string> workloads = {};
};

struct MetricRecord {
  std::string unit;
  Better better = Better::kLower;
  bool judged = false;
  Protocol protocol;
  std::optional<double> tolerance;  ///< relative; only when it is not the policy's
  std::string variance_class;
  Statistic statistic = Statistic::kMedian;
};

/// Of one session: metric -> one figure a worker, in the order of the workers.
using SessionFigures = std::map<std::string, std::vector<double>>;

/// One accepted state of a case. The anchor sessions define its mean and are frozen; later
/// sessions tell of the noise only, so that refreshing cannot ratchet a slow drift through.
struct Epoch {
  std::string reason;
  std::string date;
  std::vector<std::string> anchor;  ///< session ids, at most kAnchorSessions a unit
  /// metric -> session id -> one figure a worker
  std::map<std::string, std::map<std::string, std::vector<double>>> figures;
  Tuning tuning = {};  ///< with what every session measured
};

constexpr int kAnchorSessions = 5;

/// What a user may be willing to ignore of a case at most, relative: a file that says more would
/// pass anything.
constexpr double kMaxTolerance = 0.25;

struct CaseRecord {
  std::map<std::string, MetricRecord> metrics;
  std::vector<Epoch> epochs;          ///< oldest first; the last is in force
  std::vector<KernelRecord> kernels;  ///< as last recorded, longest first; empty: not traced
};

struct PublishedFigure {
  double figure = 0;
  std::string unit;
  Better better = Better::kHigher;
};

/// Targets that somebody else published for this device: shown, never judged as measured.
struct Published {
  std::string source;
  std::map<std::string, PublishedFigure> figures;  ///< by the key of a mean over D
};

struct Baseline {
  DeviceRecord device;
  std::map<std::string, SessionRecord> sessions;
  std::map<std::string, CaseRecord> cases;
  std::optional<Published> published;
};

/// Judged metrics in the file: among how many tests a night's false-alarm budget is shared.
int judged_metrics(const Baseline& baseline);

/// All that an epoch holds of one session; empty where that is nothing.
SessionFigures figures_of(const Epoch& epoch, const std::string& session);

/// The anchor sessions that have figures of `metric`, which may be younger than its case.
std::vector<std::string> anchors_with(const Epoch& epoch, const std::string& metric);

/// With what the epoch in force of a case was measured; none of a case that is not there.
Tuning tuning_of(const Baseline& baseline, const std::string& case_key);

/// The median over the newest epoch's anchor sessions of each one's median; nothing where none has
/// the metric.
std::optional<double> recorded_median(const CaseRecord& record, const std::string& metric);

/// What a ceiling read in the median of the sessions; nothing where none has it.
std::optional<double> recorded_ceiling(const Baseline& baseline, const std::string& name);

/// Every unit that some session was measured on.
std::vector<std::string> units_of(const Baseline& baseline);

}  // namespace perfgate
