// Is anything torn or lost when perfgate is killed? Kills a writer at each of its file calls in
// turn, of a baseline and of a history, and then a refreshing gate at random moments, N kills in
// all. After each: the file is whole and has all that was in it, no lock is held, and the next
// writer goes on. Prints what it did; fails at the first thing that does not hold.
//   bench_kills [N]      N: 300
// It starts the gate on recorded noise (replay_gate) that lies beside it.

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/json.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/report/results_json.h"
#include "perfgate/run/night/night_history.h"

namespace {

namespace fs = std::filesystem;

void require(bool holds, const std::string& what) {
  if (!holds) {
    throw std::runtime_error("does not hold: " + what);
  }
}

// Kills this process at its n-th call, before it is made.
class KillingCalls final : public perfgate::FileCalls {
 public:
  explicit KillingCalls(int at) : at_(at) {}
  int open(const char* path, int flags, mode_t mode) override {
    return count(), FileCalls::open(path, flags, mode);
  }
  ssize_t write(int fd, const void* data, std::size_t size) override {
    count();
    // Half of it, so that a torn write is among the moments.
    return FileCalls::write(fd, data, size > 1 ? size / 2 : size);
  }
  int fsync(int fd) override { return count(), FileCalls::fsync(fd); }
  int close(int fd) override { return count(), FileCalls::close(fd); }
  int rename(const char* from, const char* to) override {
    return count(), FileCalls::rename(from, to);
  }
  int unlink(const char* path) override { return count(), FileCalls::unlink(path); }

 private:
  void count() {
    if (--at_ == 0) {
      ::raise(SIGKILL);
    }
  }
  int at_;
};

// Whether it was killed before it ended.
bool killed(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  require(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0),
          "a writer ends well or by our signal");
  return WIFSIGNALED(status);
}

void add_case(perfgate::Baseline& baseline, int number) {
  const std::string id = "s" + std::to_string(1000 + number);
  baseline.sessions[id] = {"2026-11-24T00:00:00Z", "unit", "host", "c", "2.13.0", "g", {}, {}, {}};
  perfgate::CaseRecord record;
  record.phases[perfgate::Phase::kWhole] = {};
  record.metrics[perfgate::kTime] = {true, {}, "cpu/memory/long"};
  record.revisions = {{"first", "2026-11-24", {id}, {{perfgate::kTime, {{id, {81, 82}}}}}}};
  // A family each, so that every writer makes a file, and replaces device.json beside it.
  baseline.cases["kill" + std::to_string(number % 3) + "/case" + std::to_string(number)] = record;
}

// One writer after another, each killed one call later than the last, until one is not.
int kill_at_each_call(const std::function<void(perfgate::FileCalls&, int)>& write,
                      const std::function<int()>& entries) {
  int kills = 0;
  for (int call = 1;; ++call) {
    const int before = entries();
    const bool was_killed = killed([&] {
      KillingCalls calls(call);
      write(calls, call);
    });
    const int after = entries();  // throws where the file is torn
    require(after == before || after == before + 1, "nothing is lost and nothing half there");
    require(was_killed || after == before + 1, "what was written is there");
    if (!was_killed) {
      return kills;
    }
    ++kills;
  }
}

int kill_writers(const fs::path& folder) {
  const auto baseline = folder / "baseline";
  const perfgate::DeviceRecord device = {"cpu", "Killed CPU", {}};
  const auto in_baseline = [&] {
    const auto loaded = perfgate::load_baseline(baseline);
    return loaded ? static_cast<int>(loaded->cases.size()) : 0;
  };
  int kills = kill_at_each_call(
      [&](perfgate::FileCalls& calls, int number) {
        update_baseline(
            baseline, device, [&](perfgate::Baseline& file) { add_case(file, number); }, calls);
      },
      in_baseline);
  const auto history = folder / "unit.nights.jsonl";
  kills += kill_at_each_call(
      [&](perfgate::FileCalls& calls, int number) {
        perfgate::CaseNight night;
        night.time = "2026-11-24T03:00:00Z";
        night.case_key = "case" + std::to_string(number);
        append_nights(history, {night}, calls);
      },
      [&] {
        int nights = 0;
        perfgate::for_each_night(history, [&nights](const perfgate::CaseNight&) { ++nights; });
        return nights;
      });
  return kills;
}

class Gate {
 public:
  explicit Gate(fs::path folder) : folder_(std::move(folder)) {
    for (const char* name : {"baselines", "tape", "locks"}) {
      fs::create_directories(folder_ / name);
    }
  }

  // A session of three cases, killed after so long; how many sessions the baseline has then.
  [[nodiscard]] std::size_t refresh_killed_after(std::chrono::duration<double> pause) const {
    {
      const perfgate::Subprocess gate(request());
      std::this_thread::sleep_for(pause);
    }  // killed here
    return sessions();
  }

  [[nodiscard]] std::size_t refresh_to_the_end() const {
    require(run_process(request()).exit_code == 0, "a refresh ends well");
    return sessions();
  }

 private:
  [[nodiscard]] perfgate::ProcessRequest request() const {
    perfgate::ProcessRequest out;
    out.command = {(fs::read_symlink("/proc/self/exe").parent_path() / "replay_gate").string(),
                   "--refresh",
                   "--case=replay/gemv*",
                   "--baselines=" + (folder_ / "baselines").string(),
                   "--results=" + (folder_ / "results").string(),
                   "--history=" + (folder_ / "history").string()};
    out.environment = {{"PERFGATE_REPLAY_TAPE", (folder_ / "tape").string()},
                       {"PERFGATE_LOCK_DIR", (folder_ / "locks").string()}};
    return out;
  }

  // Reads all that the gate writes: throws where anything is torn.
  [[nodiscard]] std::size_t sessions() const {
    std::size_t out = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "baselines")) {
      if (entry.is_directory()) {
        const auto baseline = perfgate::load_baseline(entry.path()).value();
        out = baseline.sessions.size();
        require(baseline.cases.size() == 3, "a session has all of its cases");
      }
    }
    if (fs::exists(folder_ / "results")) {
      for (const auto& entry : fs::directory_iterator(folder_ / "results")) {
        if (entry.path().extension() == ".json") {
          const auto document =
              perfgate::parse_strict(perfgate::read_file(entry.path()), entry.path().string());
          (void)perfgate::run_from_json(perfgate::JsonCursor(document, entry.path().string()));
        }
      }
    }
    return out;
  }

  fs::path folder_;
};

int run(int argc, char** argv) {
  const auto [flags, wanted] = perfgate::counted_flags(argc, argv, 300);
  if (!flags.empty()) {
    fmt::print(stderr, "usage: bench_kills [N]\n");
    return 2;
  }
  std::string pattern = (fs::temp_directory_path() / "killsXXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  const int at_calls = kill_writers(folder);
  fmt::print(
      "{} kills, one at each file call of a baseline's and a history's writer: nothing "
      "torn, nothing lost\n",
      at_calls);
  Gate gate(folder / "gate");
  std::mt19937_64 random(20261124);
  // One that nobody kills says how long it takes: the moments have to reach its last writing.
  const auto began = std::chrono::steady_clock::now();
  std::size_t sessions = gate.refresh_to_the_end();
  require(sessions == 1, "a refresh that nobody kills records a session");
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
  std::uniform_real_distribution<double> moment(0, 1.3 * whole.count());
  for (int kill = at_calls; kill < wanted; ++kill) {
    const auto now = gate.refresh_killed_after(std::chrono::duration<double>(moment(random)));
    require(now >= sessions, "no session is lost");
    sessions = now;
  }
  fmt::print(
      "{} kills of a refreshing gate at random moments: nothing torn, nothing lost; {} "
      "sessions came through\n",
      std::max(0, wanted - at_calls), sessions);
  fs::remove_all(folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
