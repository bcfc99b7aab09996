#include "perfgate/measure/chrome_trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace perfgate {
namespace {

using nlohmann::json;

// One thread, to which activities are offered in order of their start.
class Lane {
 public:
  // Takes an activity that starts behind all that is open here, or lies within what the innermost
  // one calls.
  bool takes(const Activity& activity) {
    while (!open_.empty() && open_.back().end_ns <= activity.start_ns) {
      open_.pop_back();
    }
    const bool fits =
        open_.empty() || (open_.back().calls && activity.end_ns <= open_.back().end_ns);
    if (fits) {
      open_.push_back({activity.end_ns, activity.inner_ns > 0});
    }
    return fits;
  }

 private:
  struct Open {
    std::int64_t end_ns = 0;
    bool calls = false;
  };
  std::vector<Open> open_;
};

// The first that takes the activity, or a new one.
std::size_t lane_of(const Activity& activity, std::vector<Lane>& lanes) {
  const auto found = std::find_if(lanes.begin(), lanes.end(),
                                  [&activity](Lane& lane) { return lane.takes(activity); });
  if (found != lanes.end()) {
    return static_cast<std::size_t>(found - lanes.begin());
  }
  lanes.emplace_back();
  lanes.back().takes(activity);
  return lanes.size() - 1;
}

json details_of(const KernelRecord& kernel) {
  json out = json::object();
  if (kernel.grid[0] > 0) {
    out = {{"grid", kernel.grid},
           {"block", kernel.block},
           {"registers", kernel.registers},
           {"shared_bytes", kernel.shared_bytes},
           {"local_bytes", kernel.local_bytes}};
  }
  for (const auto& [name, text] : {std::pair("implementation", &kernel.implementation),
                                   std::pair("configuration", &kernel.configuration)}) {
    if (!text->empty()) {
      out[name] = *text;
    }
  }
  if (kernel.bytes_a_launch) {
    out["expected_bytes"] = *kernel.bytes_a_launch;
  }
  return out;
}

// Where several start at once the longest first, and of equal ones the one that calls the other.
void sort_by_start(std::vector<Activity>& activities) {
  const auto key = [](const Activity& activity) {
    return std::tuple(activity.start_ns, -activity.end_ns, -activity.inner_ns);
  };
  std::stable_sort(activities.begin(), activities.end(),
                   [&key](const Activity& a, const Activity& b) { return key(a) < key(b); });
}

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

// The events of one process.
class Process {
 public:
  Process(int id, const std::string& name, json& events) : id_(id), events_(events) {
    add_name("process_name", name, 0);
  }

  void add_name(const char* what, const std::string& name, std::size_t thread) {
    events_.push_back(
        {{"ph", "M"}, {"name", what}, {"pid", id_}, {"tid", thread}, {"args", {{"name", name}}}});
  }

  void add(const Activity& activity, std::size_t thread, std::int64_t start_ns) {
    const std::int64_t length_ns = std::max<std::int64_t>(0, activity.end_ns - activity.start_ns);
    events_.push_back({{"ph", "X"},
                       {"name", activity.kernel.name},
                       {"pid", id_},
                       {"tid", thread},
                       {"ts", microseconds(start_ns)},
                       {"dur", microseconds(length_ns)},
                       {"args", details_of(activity.kernel)}});
  }

 private:
  int id_;
  json& events_;
};

void add_execution(std::vector<Activity> activities, Process& process) {
  const auto unplaced =
      std::stable_partition(activities.begin(), activities.end(),
                            [](const Activity& activity) { return activity.start_is_known; });
  const std::vector<Activity> lengths(unplaced, activities.end());
  activities.erase(unplaced, activities.end());
  sort_by_start(activities);
  std::vector<Lane> lanes;
  for (const auto& activity : activities) {
    const std::size_t thread = 1 + lane_of(activity, lanes);  // viewers take 0 for an idle one
    process.add(activity, thread, activity.start_ns - activities.front().start_ns);
  }
  if (lengths.empty()) {
    return;
  }
  const std::size_t thread = 1 + lanes.size();
  process.add_name("thread_name", "library calls in their order: only their lengths are known",
                   thread);
  std::int64_t start_ns = 0;
  for (const auto& activity : lengths) {
    process.add(activity, thread, start_ns);
    start_ns += activity.end_ns;
  }
}

}  // namespace

std::string chrome_trace(const std::string& case_key, const Executions& executions) {
  json events = json::array();
  int id = 0;
  for (const auto& [phase, activities] : executions) {
    Process process(++id, key_of_phase(case_key, phase), events);
    add_execution(activities, process);
  }
  const json document = {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
  return document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate
