#include "perfgate/backends/cores.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

double median_time(const std::function<void()>& code) {
  constexpr int kRuns = 5;
  std::vector<double> out;
  code();  // fetches it into the core's caches
  for (int i = 0; i < kRuns; ++i) {
    const auto before = std::chrono::steady_clock::now();
    code();
    out.push_back(Seconds(std::chrono::steady_clock::now() - before).count());
  }
  return median(out);
}

}  // namespace

cpu_set_t allowed_cores() {
  cpu_set_t out;
  CPU_ZERO(&out);
  if (sched_getaffinity(0, sizeof out, &out) != 0) {
    CPU_ZERO(&out);
  }
  return out;
}

void keep_to(const cpu_set_t& cores) {
  std::error_code no_proc;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", no_proc)) {
    sched_setaffinity(std::atoi(thread.path().filename().c_str()), sizeof cores, &cores);
  }
}

void keep_to(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  keep_to(one);
}

void keep_to_quietest(const cpu_set_t& cores, const std::function<void()>& code) {
  std::optional<int> quietest;
  double least = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &cores)) {
      continue;
    }
    keep_to(core);
    const double time = median_time(code);
    if (!quietest || time < least) {
      quietest = core;
      least = time;
    }
  }
  if (quietest) {
    keep_to(*quietest);
  }
}

}  // namespace perfgate
