#include "perfgate/process/launcher.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

std::string in_one_line(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos) {
      const auto last = line.find_last_not_of(" \t\r");
      out += (out.empty() ? "" : "; ") + line.substr(first, last - first + 1);
    }
  }
  return out;
}

// What a process said last: our own errors whole, with their second line, how to mend it.
std::string last_words(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  const auto line = text.rfind('\n');
  auto begin = line == std::string::npos ? 0 : line + 1;
  const auto ours = text.rfind("perfgate: ");
  if (ours != std::string::npos && (ours == 0 || text[ours - 1] == '\n')) {
    begin = ours;
  }
  return shortened(plain(in_one_line(text.substr(begin))));
}

// What a worker that still runs wrote, if that is a whole report.
std::optional<WorkerReport> whole_report(const std::string& text) {
  try {
    return worker_report_from_text(text);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> why_killed(const ProcessResult& result, const MemoryKills& before,
                                      const MemoryKills& after) {
  if (result.signal != SIGKILL || result.timed_out || result.flooded || result.interrupted) {
    return std::nullopt;  // or it was us
  }
  const std::string limit =
      after.limit_bytes
          ? fmt::format("this container may use {:.1f} GiB",
                        static_cast<double>(*after.limit_bytes) / (std::int64_t{1} << 30))
          : "the machine's is used up";
  if (before.count && after.count) {
    return *after.count > *before.count
               ? std::optional("the kernel killed it for want of memory: " + limit)
               : std::nullopt;
  }
  return after.limit_bytes ? std::optional("perhaps by the kernel for want of memory: " + limit)
                           : std::nullopt;
}

WorkerReport report_from(const ProcessResult& result, const std::string& case_key, Seconds timeout,
                         const std::optional<std::string>& killed) {
  WorkerReport out;
  out.case_key = case_key;
  const std::string words = last_words(result.output);
  const std::string said = words.empty() ? "" : "; it last said: " + words;
  if (!result.timed_out && !result.flooded && !result.interrupted && result.exit_code == 0) {
    if (result.result.empty()) {  // a worker of ours writes a report before it ends
      out.message = "worker: the case ended its process by exit(0)" + said;
      return out;
    }
    try {
      return worker_report_from_text(result.result);
    } catch (const OtherInterface& error) {
      out.message = shortened(error.problem());
      return out;
    } catch (const UsageError& error) {
      out.message = shortened(error.problem()) +
                    "; the worker wrote what the gate refuses: report this as a bug";
      return out;
    }
  }
  const bool was_measured = result.result.starts_with(kMeasuresNoMore);
  if (result.timed_out && !was_measured) {  // else it is the reference that takes so long
    out.killed_after_s = timeout.count();
  }
  out.message = "worker: " + result.ending(timeout) +
                (was_measured ? ", while its numbers were checked" : "") +
                (killed ? "; " + *killed : "") + said;
  return out;
}

WorkerReport measure_machine(Launcher& launcher) {
  return launcher.launch({.case_key = kMachineKey, .check = false});
}

std::unique_ptr<Subprocess> ProcessLauncher::start() const {
  ProcessRequest process;
  process.command = {settings_.program.string(), "--device=" + settings_.device.name,
                     "--packages=" + settings_.packages.string()};
  // One thread; PERFGATE_REFRESH and the like are the parent's.
  process.environment = {{"OMP_NUM_THREADS", "1"},
                         {"MKL_NUM_THREADS", "1"},
                         {"PERFGATE_REFRESH", "false"},
                         {"PERFGATE_ACCEPT", ""}};
  process.environment.insert(settings_.device.environment.begin(),
                             settings_.device.environment.end());
  if (scratch_.path()) {
    process.environment["TMPDIR"] = scratch_.path()->string();
  }
  for (const auto& [name, value] : settings_.variables) {
    process.environment[name] = value;
  }
  process.timeout = std::chrono::duration<double>(settings_.timeout_s);
  process.pipe_flag = "--worker_pipe";
  return std::make_unique<Subprocess>(process);
}

Seconds ProcessLauncher::timeout_of(const std::string& case_key) const {
  constexpr double kTimesThePlan = 4;  // expected lengths are rough
  const Seconds planned = settings_.planned ? settings_.planned(case_key) : Seconds(0);
  return Seconds(settings_.timeout_s) + kTimesThePlan * planned;
}

std::unique_ptr<Subprocess> ProcessLauncher::loaded() {
  if (loading_.empty()) {
    return start();
  }
  auto out = std::move(loading_.front());
  loading_.pop_front();
  return out;
}

std::unique_ptr<Subprocess> ProcessLauncher::asked_for(const std::string& request) {
  const auto already = std::exchange(next_asked_, std::nullopt);
  if (already && *already != request) {
    next_.reset();  // it has prepared what nobody asks for
    kill_strays();
  }
  const bool opens_ahead = next_ != nullptr;
  auto out = opens_ahead ? std::move(next_) : loaded();
  if (!opens_ahead) {
    out->send(kDeviceIsFree);
  }
  if (already != request) {
    out->send(request);
  }
  return out;
}

void ProcessLauncher::let_the_next_prepare() {
  const auto expected = std::exchange(expected_, std::nullopt);
  if (loading_.empty()) {
    return;
  }
  next_ = loaded();
  next_->send(kDeviceIsFree);
  if (expected) {
    next_->send(*expected);
    next_asked_ = expected;
  }
}

WorkerReport ProcessLauncher::launch(const WorkerRequest& request) {
  using Clock = std::chrono::steady_clock;
  const auto started = Clock::now();
  auto worker = asked_for(to_text(request));
  // One of them opens the device once this one has measured. With that one alone, nights were no
  // faster (baselines/figures/2026-11-27-h200.md): it was not loaded by then. So the other begins.
  constexpr std::size_t kAhead = 2;
  while (settings_.device.load_ahead && loading_.size() < kAhead) {
    loading_.push_back(start());
  }
  const auto last_end = end_of_the_last();
  const auto& memory_kills = settings_.device.memory_kills;
  const MemoryKills killed_before = memory_kills ? memory_kills() : MemoryKills{};
  worker->send(kMayMeasure);
  const Seconds timeout = timeout_of(request.case_key);
  worker->allow(timeout);

  worker->wait_for_line();  // it measures no more, or ends
  let_the_next_prepare();
  WorkerReport out;
  if (auto report = whole_report(worker->result())) {
    out = std::move(*report);
    ending_ = std::move(worker);
  } else {
    const ProcessResult end = worker->finish();
    out =
        report_from(end, request.case_key, timeout,
                    why_killed(end, killed_before, memory_kills ? memory_kills() : MemoryKills{}));
  }
  kill_strays();
  if (ending_ == nullptr && next_ == nullptr &&
      loading_.empty()) {  // it died, and nobody else runs
    scratch_.empty();
  }
  if (last_end) {
    out.environment["last_worker"] = *last_end;
  }
  const std::chrono::duration<double> took = Clock::now() - started;
  const double told =
      std::accumulate(out.costs_s.begin(), out.costs_s.end(), 0.0,
                      [](double sum, const auto& phase) { return sum + phase.second; });
  // The last one's end, loading, opening the device; less what was done before this one's turn.
  out.costs_s["process"] = took.count() - told;
  return out;
}

std::optional<std::string> ProcessLauncher::end_of_the_last() {
  if (!ending_) {
    return std::nullopt;
  }
  const auto last = std::move(ending_);
  const ProcessResult end = last->finish();
  if (end.exit_code == 0) {
    return std::nullopt;
  }
  return end.ending(std::chrono::duration<double>(settings_.timeout_s));
}

void ProcessLauncher::stop_workers() {
  loading_.clear();
  next_.reset();
  next_asked_.reset();
  expected_.reset();
  ending_.reset();
  kill_strays();
  scratch_.empty();
}

void ProcessLauncher::kill_strays() const {
  std::vector<pid_t> ours;
  for (const auto& process : loading_) {
    ours.push_back(process->id());
  }
  for (const auto* process : {next_.get(), ending_.get()}) {
    if (process != nullptr) {
      ours.push_back(process->id());
    }
  }
  kill_orphans(ours);
}

}  // namespace perfgate
