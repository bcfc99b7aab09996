#include "perfgate/measure/kernel_trace.h"

#include <cxxabi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "perfgate/core/errors.h"
#include "perfgate/core/pattern.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, Free> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return status == 0 ? text.get() : name;
}

// The parameter list that ends the name, if one does.
std::string without_parameters(const std::string& name) {
  if (name.empty() || name.back() != ')') {
    return name;
  }
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth == 0) {
      return name.substr(0, i);
    }
  }
  return name;
}

struct ByNameAndLaunch {
  bool operator()(const KernelRecord& a, const KernelRecord& b) const {
    return a.name != b.name ? a.name < b.name : launch_of(a) < launch_of(b);
  }
};

// From the first start to the last end.
Seconds span(const std::vector<Activity>& activities) {
  if (activities.empty()) {
    return Seconds(0);
  }
  std::int64_t start = activities.front().start_ns;
  std::int64_t end = activities.front().end_ns;
  for (const auto& activity : activities) {
    start = std::min(start, activity.start_ns);
    end = std::max(end, activity.end_ns);
  }
  return Seconds(1e-9 * static_cast<double>(end - start));
}

}  // namespace

std::int64_t own_ns(const Activity& activity) {
  return activity.end_ns - activity.start_ns - activity.inner_ns;
}

Tracing::Tracing(KernelTracer& tracer) : tracer_(tracer) {
  try {
    tracer_.start();
  } catch (...) {
    tracer_.stop();
    throw;
  }
}

std::vector<Activity> body_of(std::vector<Activity> activities, const std::string& before,
                              const std::string& after) {
  std::sort(activities.begin(), activities.end(),
            [](const Activity& a, const Activity& b) { return a.start_ns < b.start_ns; });
  const auto last =
      std::find_if(activities.rbegin(), activities.rend(),
                   [&](const Activity& activity) { return activity.kernel.name == before; });
  const auto first = std::find_if(last.base(), activities.end(), [&](const Activity& activity) {
    return activity.kernel.name == after;
  });
  if (last == activities.rend() || first == activities.end()) {
    throw TraceError("the kernel trace lost what it was to find",
                     "another profiler may be attached to the GPU; end it");
  }
  return {last.base(), first};
}

Seconds busy_time(const std::vector<Activity>& activities) {
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  for (const auto& activity : activities) {
    intervals.emplace_back(activity.start_ns, activity.end_ns);
  }
  std::sort(intervals.begin(), intervals.end());
  std::int64_t busy_ns = 0;
  std::int64_t covered_until = 0;
  for (const auto& [start, end] : intervals) {
    const auto begin = std::max(start, covered_until);
    busy_ns += std::max<std::int64_t>(0, end - begin);
    covered_until = std::max(covered_until, end);
  }
  return Seconds(1e-9 * static_cast<double>(busy_ns));
}

TraceSummary summarise(const std::vector<std::vector<Activity>>& executions) {
  if (executions.empty()) {
    throw std::invalid_argument("no execution was traced");
  }
  std::vector<double> busy_s;
  std::vector<double> gap_s;
  std::vector<double> launches;
  std::map<KernelRecord, double, ByNameAndLaunch> total_us;
  std::map<KernelRecord, double, ByNameAndLaunch> total_count;
  for (const auto& activities : executions) {
    busy_s.push_back(busy_time(activities).count());
    gap_s.push_back(span(activities).count() - busy_s.back());
    launches.push_back(static_cast<double>(activities.size()));
    for (const auto& activity : activities) {
      total_us[activity.kernel] += 1e-3 * static_cast<double>(own_ns(activity));
      total_count[activity.kernel] += 1;
    }
  }
  TraceSummary out;
  out.busy = Seconds(median(busy_s));
  out.gap = Seconds(median(gap_s));
  out.launches = std::llround(median(launches));
  const auto runs = static_cast<double>(executions.size());
  for (const auto& [kernel, microseconds] : total_us) {
    out.kernels.push_back(kernel);
    out.kernels.back().busy_us = microseconds / runs;
    out.kernels.back().count = std::max<std::int64_t>(1, std::llround(total_count[kernel] / runs));
  }
  std::sort(out.kernels.begin(), out.kernels.end(),
            [](const KernelRecord& a, const KernelRecord& b) { return a.busy_us > b.busy_us; });
  return out;
}

std::string normalised_kernel_name(const std::string& name) {
  std::string out = without_parameters(demangled(name));
  if (out.rfind("void ", 0) == 0) {
    out.erase(0, 5);
  }
  static const Pattern anonymous(R"((\(anonymous namespace\)|<unnamed>)::)");
  static const Pattern address("0x[0-9a-fA-F]+");
  static const Pattern hash("_[0-9a-f]{8,}(?![0-9a-zA-Z])");
  out = anonymous.replaced(out, "");
  out = address.replaced(out, "0x");
  return hash.replaced(out, "");
}

}  // namespace perfgate
