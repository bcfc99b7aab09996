#include "perfgate/worker/worker.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

// Times the worker's phases for the report's costs.
class Phases {
 public:
  explicit Phases(std::map<std::string, double>& costs_s) : costs_s_(costs_s) {}
  void end(const std::string& phase) {
    const auto now = std::chrono::steady_clock::now();
    costs_s_[phase] = Seconds(now - last_).count();
    last_ = now;
  }

 private:
  std::map<std::string, double>& costs_s_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// LibTorch's what() goes on with a stack trace; its first line is the reason.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Not every allocator throws OutOfMemoryError: LibTorch's on the CPU and the CUDA libraries' have
// words of their own.
bool says_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos ||
         text.find("ALLOC_FAILED") != std::string::npos;
}

// Whether what a case threw is a refusal. After it ran once it has not refused: a fault then is
// one.
WorkerStatus status_of(const c10::Error& error, bool refusal_is_possible) {
  return refusal_is_possible && !says_out_of_memory(error.what_without_backtrace())
             ? WorkerStatus::kUnsupported
             : WorkerStatus::kError;
}

// What a case that ran out of memory is told: what it needs, what there is.
std::string memory_text(double wanted, double available) {
  std::ostringstream out;
  out << "out of memory: the case needs " << static_cast<long long>(wanted) << " bytes, "
      << static_cast<long long>(available) << " are available";
  return out.str();
}

// Linux grants any allocation and kills later, and a GPU's refusal does not say what was wanted; so
// ask first.
bool fits_into_memory(const Case& item, const Backend& backend, WorkerReport& report) {
  const double available = backend.available_bytes();
  if (item.footprint.count <= available) {
    return true;
  }
  report.status = WorkerStatus::kError;
  report.message = memory_text(item.footprint.count, available);
  return false;
}

// Before the reference is made, which may need more. The libraries' own workspaces come on top.
void check_footprint(const Case& item, const Backend& backend, WorkerReport& report) {
  constexpr double kWorkspaces = 64 << 20;
  if (!backend.peak_bytes) {
    return;
  }
  const double held = backend.peak_bytes();
  std::ostringstream text;
  text << static_cast<long long>(held) << " bytes";
  report.environment["memory_peak"] = text.str();
  if (held > item.footprint.count + kWorkspaces) {
    text << " were held at once, the case declares " << static_cast<long long>(item.footprint.count)
         << ": correct its footprint";
    report.status = WorkerStatus::kError;
    report.message = text.str();
  }
}

std::vector<std::span<const std::byte>> spans_of(const std::vector<at::Tensor>& tensors) {
  std::vector<std::span<const std::byte>> out;
  for (const auto& tensor : tensors) {
    if (tensor.is_cpu()) {
      out.emplace_back(static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes());
    }
  }
  return out;
}

void mark_wrong(const std::string& why, WorkerReport& report) {
  report.status = WorkerStatus::kWrong;
  report.message = why;
}

void check(const Case& item, const Prepared& prepared, const at::Tensor& output,
           WorkerReport& report) {
  report.environment["output"] = output.is_contiguous() ? "contiguous" : "not contiguous";
  if (item.contiguous && output.is_contiguous() != *item.contiguous) {
    mark_wrong(std::string("the output is ") + (*item.contiguous ? "not " : "") +
                   "contiguous, and its case says otherwise",
               report);
  }
  at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  const at::Tensor reference = prepared.reference();
  if (reference.scalar_type() != at::kDouble) {  // or a kernel would be checked against itself
    throw SystemError(std::string("the case's reference is in ") +
                          c10::toString(reference.scalar_type()) + ", not in float64",
                      "convert its inputs with exact() of workloads/inputs.h");
  }
  report.accuracy = compare(output, reference, prepared.tolerance);
  if (report.accuracy->wrong_elements > 0) {
    std::ostringstream text;
    text << report.accuracy->wrong_elements << " of " << report.accuracy->elements
         << " elements differ from the reference";
    mark_wrong(text.str(), report);
  }
}

// What utilisation is a share of.
std::string ceiling_for(const Case& item) {
  if (item.held_against != "the bound") {
    return item.held_against;
  }
  return item.traffic.bound == Bound::kMemory ? "dram_read_gb_per_s" : "bf16_gflop_per_s";
}

// `output` receives what each run returns.
Body body_of(const Case& item, const Prepared& prepared, at::DeviceType device,
             at::Tensor& output) {
  Body out;
  // The last output is freed first, so that every sample finds the same memory to write into.
  out.run = [&prepared, &output] {
    output.reset();
    output = prepared.run();
  };
  out.traffic = item.traffic;
  out.expected = expected_length(item, device);
  out.operands = spans_of(prepared.operands);
  out.judged = item.judged;
  out.ceiling = ceiling_for(item);
  out.statistic = item.statistic;
  return out;
}

void measure(const Case& item, const Backend& backend, const WorkerRequest& request,
             const std::filesystem::path& packages, Phases& phases, bool& has_run,
             WorkerReport& report) {
  const at::Device device(backend.torch_device);
  const auto identity = backend.device->identity();
  const auto sampler = backend.make_sampler();
  sampler->settle(item.traffic.bound);
  phases.end("device");
  const Prepared prepared = item.prepare({device, packages, identity.model, request.tuning});
  at::Tensor output = prepared.run();  // refuses here, if it does
  has_run = true;
  phases.end("prepare");

  const Body body = body_of(item, prepared, device.type(), output);
  Measurement measured = sampler->measure(body, {request.inject_slowdown, request.ceilings});
  phases.end("measure");

  report.tuning = prepared.tuning;
  report.metrics = std::move(measured.metrics);
  report.protocol = std::move(measured.protocol);
  report.samples = std::move(measured.samples);
  report.ceilings = std::move(measured.ceilings);
  report.kernels = std::move(measured.kernels);
  report.planted_percent = measured.planted_percent;
  report.noisy = measured.noisy;
  report.discarded = measured.discarded;
  report.status = WorkerStatus::kMeasured;
  report.message.clear();
  auto health = backend.device->health(/*alone=*/false);
  report.environment.merge(health.facts);
  report.environment.merge(measured.environment);
  if (!health.objection.empty()) {
    report.objection = health.objection;
  }
  check_footprint(item, backend, report);
  if (request.check && report.status == WorkerStatus::kMeasured) {
    check(item, prepared, output, report);
    phases.end("check");
  }
}

}  // namespace

WorkerReport run_worker(const Case& item, const Backend& backend, const WorkerRequest& request,
                        const std::filesystem::path& packages) {
  WorkerReport report;
  report.case_key = item.key;
  report.traffic = item.traffic;
  report.compared_with = item.compared_with;
  report.parameters = item.parameters;
  report.environment["libtorch"] = TORCH_VERSION;
  Phases phases(report.costs_s);
  at::set_num_threads(1);
  if (!fits_into_memory(item, backend, report)) {
    return report;
  }
  const c10::InferenceMode no_autograd;
  bool has_run = false;
  try {
    measure(item, backend, request, packages, phases, has_run, report);
  } catch (const Unsupported& refusal) {
    report.status = WorkerStatus::kUnsupported;
    report.message = refusal.what();
  } catch (const c10::OutOfMemoryError& error) {  // says what was wanted at once, and what is free
    report.status = WorkerStatus::kError;
    report.message = "out of memory: " + first_line(error.what_without_backtrace());
  } catch (const c10::NotImplementedError& refusal) {
    report.status = status_of(refusal, !has_run);
    report.message = first_line(refusal.what_without_backtrace()) + " (LibTorch)";
  } catch (const c10::AcceleratorError& error) {  // an illegal access, say: never a refusal
    report.status = WorkerStatus::kError;
    report.message = first_line(error.what_without_backtrace()) + " (LibTorch)";
  } catch (const c10::Error& error) {
    report.status = status_of(error, item.may_refuse && !has_run);
    report.message = first_line(error.what_without_backtrace()) + " (LibTorch)";
    if (says_out_of_memory(error.what_without_backtrace())) {
      report.message =
          memory_text(item.footprint.count, backend.available_bytes()) + ": " + report.message;
    }
  } catch (const std::bad_alloc&) {
    report.status = WorkerStatus::kError;
    report.message = memory_text(item.footprint.count, backend.available_bytes());
  } catch (const std::exception& error) {
    report.status = WorkerStatus::kError;
    report.message = error.what();
  }
  return report;
}

WorkerReport run_machine_worker(const std::vector<Case>& cases, const Backend& backend) {
  WorkerReport report;
  report.case_key = kMachineKey;
  report.environment = backend.device->identity().details;
  report.environment["libtorch"] = TORCH_VERSION;
  at::set_num_threads(1);
  const c10::InferenceMode no_autograd;
  try {
    const at::Device device(backend.torch_device);
    const auto sampler = backend.make_sampler();
    report.ceilings = sampler->ceilings();
    for (const auto& item : cases) {
      if (!item.ceiling) {
        continue;
      }
      sampler->settle(item.traffic.bound);
      try {
        const Prepared prepared = item.prepare({device, {}, {}});
        at::Tensor output = prepared.run();
        const auto measured =
            sampler->measure(body_of(item, prepared, device.type(), output), {0, report.ceilings});
        report.environment.merge(std::map(measured.environment));
        report.ceilings[item.ceiling->name] =
            item.ceiling->value(Microseconds(measured.metrics.at("net_time").figure));
      } catch (const Unsupported&) {  // the case itself will say so
      }
    }
    report.status = WorkerStatus::kMeasured;
  } catch (const std::exception& error) {
    report.message = first_line(error.what());
  }
  return report;
}

}  // namespace perfgate
