#pragma once
// How the parent asks for a worker. The seam at which tests put a launcher of their own.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "perfgate/core/units.h"
#include "perfgate/model/worker_report.h"
#include "perfgate/process/scratch_folder.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Runs a fresh worker and returns its report; a worker that dies, hangs or talks nonsense is a
  /// report of status kError that says so.
  virtual WorkerReport launch(const WorkerRequest& request) = 0;
  /// What will probably be asked for behind the next launch: its worker may prepare that while the
  /// one before it checks its numbers. Asking for something else then costs time and nothing more.
  virtual void expect(const WorkerRequest& /*request*/) {}
  /// Takes every worker off the device, so that whoever is on it then is somebody else.
  virtual void stop_workers() {}
};

/// The device's ceilings, by a worker of their own.
WorkerReport measure_machine(Launcher& launcher);

/// By what the kernel may kill a worker that has no time to say so.
struct MemoryKills {
  std::optional<std::int64_t> count;       ///< of processes so far
  std::optional<std::size_t> limit_bytes;  ///< of the container; nothing where the machine is it
};

/// What every worker of a run is told of its device.
struct WorkerDevice {
  std::string name;                                ///< for --device
  std::map<std::string, std::string> environment;  ///< added to the worker's
  /// Whether the next workers may load LibTorch while one measures: not where all need the CPU.
  bool load_ahead = false;
  /// Asked before and after each worker; unset where nobody knows.
  std::function<MemoryKills()> memory_kills = {};
};

/// How the workers of a run are started.
struct WorkerSettings {
  std::filesystem::path program;   ///< an executable that is a worker when given --worker_pipe
  std::filesystem::path packages;  ///< for --packages
  double timeout_s = 120;          ///< one without a report by then is killed, unless
  /// this says that its runs are planned to take long: they get several times that on top.
  std::function<Seconds(const std::string& case_key)> planned = {};
  WorkerDevice device;
  /// Variables that replace whatever else its workers would get.
  std::map<std::string, std::string> variables = {};
};

/// Starts a program as a worker that waits for its request.
class ProcessLauncher final : public Launcher {
 public:
  explicit ProcessLauncher(WorkerSettings settings) : settings_(std::move(settings)) {}
  ~ProcessLauncher() override { ProcessLauncher::stop_workers(); }
  ProcessLauncher(const ProcessLauncher&) = delete;
  ProcessLauncher& operator=(const ProcessLauncher&) = delete;
  WorkerReport launch(const WorkerRequest& request) override;
  void expect(const WorkerRequest& request) override { expected_ = to_text(request); }
  void stop_workers() override;

 private:
  [[nodiscard]] std::unique_ptr<Subprocess> start() const;
  /// The one that has loaded for longest, or a new one.
  std::unique_ptr<Subprocess> loaded();
  /// A worker that has been asked for this: the next one, unless it prepares something else.
  std::unique_ptr<Subprocess> asked_for(const std::string& request);
  /// Lets the next one open the device, and prepare what is expected.
  void let_the_next_prepare();
  [[nodiscard]] Seconds timeout_of(const std::string& case_key) const;
  /// Waits for the worker that reported last; says how it ended, if that was not well.
  std::optional<std::string> end_of_the_last();
  /// Kills what workers left behind.
  void kill_strays() const;

  WorkerSettings settings_;
  ScratchFolder scratch_;                            ///< outlives all of these
  std::deque<std::unique_ptr<Subprocess>> loading_;  ///< ahead, in their order
  std::unique_ptr<Subprocess> next_;                 ///< has been let open the device
  std::optional<std::string> expected_;              ///< the request that probably comes next
  std::optional<std::string> next_asked_;            ///< what next_ has been asked for already
  std::unique_ptr<Subprocess> ending_;               ///< has reported, and leaves the device
};

/// Why a worker was killed, if it was the kernel for want of memory, or may have been.
std::optional<std::string> why_killed(const ProcessResult& result, const MemoryKills& before,
                                      const MemoryKills& after);

/// A worker's report from how its process ended, what it wrote, and why it was killed if that is
/// known.
WorkerReport report_from(const ProcessResult& result, const std::string& case_key, Seconds timeout,
                         const std::optional<std::string>& killed = {});

}  // namespace perfgate
