#include "perfgate/worker/failures.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <new>

#include "perfgate/worker/out_of_memory.h"

namespace perfgate {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string reason_of(const c10::Error& error) {
  return first_line(error.what_without_backtrace()) + " (LibTorch)";
}

// Whether LibTorch missed what it only has outside of inference mode.
bool asks_for_autograd(const std::string& text) {
  static constexpr std::array kWords = {"does not require grad", "requires_grad",
                                        "Inference tensors", "inference tensor"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&text](const char* words) { return text.find(words) != std::string::npos; });
}

WorkerStatus status_of(const c10::Error& error, bool refusal_is_possible) {
  return refusal_is_possible && !says_out_of_memory(error.what_without_backtrace())
             ? WorkerStatus::kUnsupported
             : WorkerStatus::kError;
}

// Whether nobody else can be why memory ran out. A context and libraries take some of it.
bool had_the_whole_device(const Backend& backend, const Progress& progress) {
  constexpr double kNearlyAll = 0.9;
  return backend.all_bytes && progress.available > kNearlyAll * backend.all_bytes();
}

}  // namespace

std::string first_line_of(const std::exception& error) { return first_line(error.what()); }

void report_failure(const Case& item, const Backend& backend, const Progress& progress,
                    WorkerReport& report) {
  const bool has_run = progress.has_run;
  report.status = WorkerStatus::kError;
  try {
    throw;
  } catch (const Unsupported& refusal) {
    report.status = WorkerStatus::kUnsupported;
    report.message = refusal.what();
  } catch (const c10::OutOfMemoryError& error) {  // says what was wanted at once, and what is free
    report.message = "out of memory: " + first_line(error.what_without_backtrace());
    if (had_the_whole_device(backend, progress)) {
      report.status = WorkerStatus::kUnsupported;
      report.message = "it does not fit into the device: " + report.message;
    }
  } catch (const c10::NotImplementedError& refusal) {
    report.status = status_of(refusal, !has_run);
    report.message = reason_of(refusal);
  } catch (const c10::AcceleratorError& error) {  // an illegal access, say: never a refusal
    report.message = reason_of(error);
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    report.status = status_of(error, item.may_refuse && !has_run);
    report.message = reason_of(error);
    if (!item.autograd && asks_for_autograd(text)) {
      report.message += "; a case that needs autograd sets Case::autograd";
    }
    if (says_out_of_memory(text)) {
      report.message = out_of_memory_text(item.footprint.count, backend.available_bytes()) + ": " +
                       report.message;
    }
  } catch (const std::bad_alloc&) {
    report.message = out_of_memory_text(item.footprint.count, backend.available_bytes());
  } catch (const std::exception& error) {
    report.message = error.what();
  }
}

}  // namespace perfgate
