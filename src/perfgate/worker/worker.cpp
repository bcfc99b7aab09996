#include "perfgate/worker/worker.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "perfgate/core/errors.h"
#include "perfgate/worker/compile_time.h"
#include "perfgate/worker/compiler_facts.h"
#include "perfgate/worker/failures.h"
#include "perfgate/worker/library_versions.h"
#include "perfgate/worker/out_of_memory.h"
#include "perfgate/worker/output_check.h"
#include "perfgate/worker/own_metrics.h"
#include "perfgate/worker/peak_memory.h"
#include "perfgate/worker/timed_body.h"
#include "perfgate/worker/trace_file.h"
#include "perfgate/workloads/ceilings/ceilings.h"
#include "perfgate/workloads/libtorch_build.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {
namespace {

// Times the worker's steps for the report's costs.
class Steps {
 public:
  explicit Steps(std::map<std::string, double>& costs_s) : costs_s_(costs_s) {}
  void end(const std::string& step) {
    const auto now = std::chrono::steady_clock::now();
    costs_s_[step] = Seconds(now - last_).count();
    last_ = now;
  }
  /// What passed since the last step is none of ours.
  void skip() { last_ = std::chrono::steady_clock::now(); }

 private:
  std::map<std::string, double>& costs_s_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

int usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  return known ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
}

bool judges_host(const Case& item) {
  return std::any_of(item.phases.begin(), item.phases.end(), [](const auto& phase) {
    return judges_host_beside_device(phase.second.judged);
  });
}

// Whether a case may be prepared while another worker still checks its numbers. Not what the device
// is preconditioned for: its clock would depend on what that one runs (measure/cuda_sampler.h). Not
// what keeps to one core, which is chosen where nobody else runs. And only what takes so little of
// the free memory that it cannot be the reason why one of both runs out of it.
bool can_be_prepared_ahead(const Case& item, const Backend& backend) {
  constexpr double kBesideTheCase = 512 << 20;  // a cache's flush buffer and libraries' workspaces
  constexpr double kLittle = 1.0 / 16;          // chosen, as is the other
  return item.phases.begin()->second.traffic.bound != Bound::kCompute && !judges_host(item) &&
         item.footprint.count > 0 &&
         item.footprint.count + kBesideTheCase <= kLittle * backend.available_bytes();
}

// Linux grants any allocation and kills later, and a GPU's refusal does not say what was wanted; so
// ask first.
bool fits_into_memory(const Case& item, const Backend& backend, WorkerReport& report) {
  const double available = backend.available_bytes();
  if (item.footprint.count <= available) {
    return true;
  }
  const bool never = backend.all_bytes && item.footprint.count > backend.all_bytes();
  report.status = never ? WorkerStatus::kUnsupported : WorkerStatus::kError;
  report.message = out_of_memory_text(item.footprint.count, available);
  return false;
}

void add(Phase phase, const Work& work, MeasuredBody measured, WorkerReport& report) {
  for (auto& [quantity, measurement] : measured.metrics) {
    report.metrics[{phase, quantity}] = std::move(measurement);
  }
  measured.report.traffic = work.traffic;
  report.phases[phase] = std::move(measured.report);
}

// A run of its own, not timed, which finds the memory as every sample does.
void add_peak_memory(Phase phase, const Body& body, const std::string& device_kind,
                     PeakMemory& memory, WorkerReport& report) {
  const auto peak = memory.during([&body] {
    if (body.before_each) {
      body.before_each();
    }
    body.run();
  });
  if (peak) {
    report.metrics[{phase, Quantity::kPeakMemory}] = peak_memory_metric(*peak, device_kind);
  }
}

void require_declared(const Case& item, const Prepared& prepared) {
  const bool same = item.phases.size() == prepared.phases.size() &&
                    std::equal(item.phases.begin(), item.phases.end(), prepared.phases.begin(),
                               [](const auto& a, const auto& b) { return a.first == b.first; });
  if (!same) {
    throw SystemError("the case prepares other phases than it declares",
                      "give `phases` and what `prepare` returns the same ones");
  }
}

void measure(const Case& item, const Backend& backend, const WorkerRequest& request,
             const Packages& packages, const Turn& turn, Steps& steps, bool& has_run,
             WorkerReport& report) {
  const at::Device device(backend.torch_device);
  const auto identity = backend.device->identity();
  const bool one_core = backend.keep_to_one_core && judges_host(item);
  if (one_core) {
    backend.keep_to_one_core();
  }
  const auto sampler = backend.make_sampler();
  sampler->precondition(item.phases.begin()->second.traffic.bound);
  steps.end("device");
  const PrepareContext context{device, packages, identity.model, request.tuning};
  const Prepared prepared = item.prepare(context);
  require_declared(item, prepared);
  if (item.judges_compile_time) {
    add_compile_time(item.package.value(), context, identity.kind, report);
  }
  std::map<Phase, Outputs> outputs;
  for (const auto& [phase, work] : item.phases) {
    outputs[phase] = prepared.phase(phase).run_once();  // refuses here, if it does
  }
  has_run = true;
  steps.end("prepare");
  turn.wait();
  steps.skip();
  Executions executions;
  PeakMemory memory(backend);
  for (const auto& [phase, work] : item.phases) {
    const Body body = timed_body(work, prepared.phase(phase), device.type(), outputs[phase]);
    if (work.judges_memory) {
      add_peak_memory(phase, body, identity.kind, memory, report);
    }
    if (phase != item.phases.begin()->first) {
      sampler->precondition(work.traffic.bound);
    }
    auto measured = sampler->measure(body, {request.inject_slowdown, request.ceilings});
    if (!request.chrome_trace.empty()) {
      executions[phase] = std::move(measured.execution);
    }
    add(phase, work, std::move(measured), report);
    if (const int threads = at::get_num_threads(); threads != 1) {  // the body asked for them
      report.phases[phase].protocol["threads"] = std::int64_t{threads};
    }
    add_own_metrics(phase, work, prepared.phase(phase), identity.kind, report);
    if (one_core) {
      report.phases[phase].protocol["host"] = "one core";
    }
    if (const auto quota = identity.details.find("cpu_quota"); quota != identity.details.end()) {
      report.phases[phase].protocol["cpu_quota"] = quota->second;  // nothing is as fast without
    }
    for (const auto& output : outputs[phase]) {
      report.phases[phase].outputs.push_back({output.is_contiguous()});
    }
  }
  if (request.check) {  // of a session's processes the first, which is looked at
    for (const auto& [phase, work] : item.phases) {
      const Body body = timed_body(work, prepared.phase(phase), device.type(), outputs[phase]);
      if (auto traced = sampler->traced(body); traced.trace) {
        report.phases[phase].trace = std::move(traced.trace);
        executions[phase] = std::move(traced.execution);
      }
    }
  }
  if (item.package && request.check) {  // of a session's processes the first, as above
    add_compiler_facts(*item.package, context, executions, report);
  }
  steps.end("measure");

  report.tuning = prepared.tuning;
  report.status = WorkerStatus::kMeasured;
  report.message.clear();
  auto health = backend.device->health(/*exclusive=*/false);
  report.environment.merge(health.facts);
  report.why_unfit = health.why_unfit;
  add_allocated(item, memory, report);
  if (request.check && !request.chrome_trace.empty()) {
    write_trace_file(request.chrome_trace, executions, report);
    steps.end("trace");
  }
  if (request.check && report.status == WorkerStatus::kMeasured) {
    turn.end();
    if (backend.end_measuring) {
      backend.end_measuring();
    }
    at::set_num_threads(usable_cores());
    for (const auto& [phase, part] : prepared.phases) {
      check_outputs(item, phase, part, outputs[phase], report);
    }
    steps.end("check");
  }
}

}  // namespace

WorkerReport run_worker(const Case& item, const Backend& backend, const WorkerRequest& request,
                        const Packages& packages, const Turn& turn) {
  WorkerReport report;
  report.case_key = item.key;
  report.compared_with = item.shown.compared_with;
  report.parameters = item.shown.parameters;
  report.environment["libtorch"] = libtorch_build().version;
  Turn ours = turn;
  if (!can_be_prepared_ahead(item, backend)) {
    ours.wait();
    ours.wait = [] {};
  }
  Steps steps(report.costs_s);
  at::set_num_threads(1);
  if (const auto why = why_unsound(item)) {
    report.message = "the case declares what cannot be: " + *why;
    return report;
  }
  if (const auto why = why_impractical(item, at::Device(backend.torch_device).type())) {
    report.status = WorkerStatus::kUnsupported;
    report.message = *why;
    return report;
  }
  if (!fits_into_memory(item, backend, report)) {
    return report;
  }
  const double available = backend.available_bytes();
  const c10::InferenceMode no_autograd(!item.autograd);
  bool has_run = false;
  try {
    measure(item, backend, request, packages, ours, steps, has_run, report);
  } catch (...) {
    report_failure(item, backend, {has_run, available}, report);
  }
  return report;
}

WorkerReport run_machine_worker(const std::vector<Case>& cases, const Backend& backend) {
  WorkerReport report;
  report.case_key = kMachineKey;
  report.environment = backend.device->identity().details;
  report.environment.merge(library_versions());
  at::set_num_threads(1);
  const c10::InferenceMode no_autograd;
  try {
    const at::Device device(backend.torch_device);
    const auto sampler = backend.make_sampler();
    report.ceilings = sampler->ceilings();
    for (const auto& item : ceilings::named_by(cases, device.type())) {
      sampler->precondition(item.work().traffic.bound);
      try {
        const Prepared prepared = item.prepare({device, {}, {}});
        const PreparedPhase& whole = prepared.phase();
        Outputs outputs = whole.run();
        auto measured = sampler->measure(timed_body(item.work(), whole, device.type(), outputs),
                                         {0, report.ceilings});
        report.ceilings[item.ceiling->ceiling] =
            item.ceiling->value(Microseconds(measured.metrics.at(Quantity::kNetTime).value));
        report.phases[Phase::kWhole].trace = std::move(measured.report.trace);
      } catch (const Unsupported&) {  // the case itself will say so
      }
    }
    report.status = WorkerStatus::kMeasured;
  } catch (const std::exception& error) {
    report.message = first_line_of(error);
  }
  return report;
}

}  // namespace perfgate
