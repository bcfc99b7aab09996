#include "perfgate/worker/worker_process.h"

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "perfgate/core/errors.h"
#include "perfgate/worker/worker.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate {
namespace {

void write_all(const std::string& text, int fd) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written <= 0) {
      throw SystemError("cannot write to the parent", "it is gone");
    }
    done += static_cast<std::size_t>(written);
  }
}

// What the parent says next; empty when it has nothing to say any more.
std::string next_line() {
  std::string line;
  std::getline(std::cin, line);
  return line;
}

WorkerReport report_on(const WorkerRequest& request, const Backend& backend,
                       const Packages& packages, const Turn& turn = {}) {
  if (request.case_key == kMachineKey) {
    turn.wait();
    return run_machine_worker(catalogue(), backend);
  }
  const auto item = find_or_make_case(request.case_key);
  if (!item) {
    throw UsageError("no case \"" + request.case_key + "\"",
                     "perfgate --list_cases prints every key");
  }
  return run_worker(*item, backend, request, packages_for(packages, backend), turn);
}

// Whether that is this line.
bool is_told(const char* line) { return next_line() + "\n" == line; }

Turn turn_by_parent(int pipe) {
  return {[] {
            if (!is_told(kMayMeasure)) {
              std::_Exit(static_cast<int>(ExitCode::kOk));  // the parent has no use for this one
            }
          },
          [pipe] { write_all(kMeasuresNoMore, pipe); }};
}

}  // namespace

void become_worker() {
  // Neither the parent's lock nor our pipe is for processes that a case starts.
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that dies, however, takes its worker along
}

bool wait_for_device() { return is_told(kDeviceIsFree); }

Packages packages_for(const Packages& packages, const Backend& backend) {
  Packages out = packages;
  out.folder /= at::Device(backend.torch_device).is_cpu() ? "cpu" : "cuda";
  return out;
}

void answer_parent(int pipe, const Backend& backend, const Packages& packages) {
  backend.prepare_worker();
  const std::string line = next_line();
  if (!line.empty()) {
    const auto report =
        report_on(worker_request_from_text(line), backend, packages, turn_by_parent(pipe));
    write_all(to_text(report), pipe);
    ::close(pipe);  // so that the parent need not wait for the end
  }
  std::_Exit(static_cast<int>(ExitCode::kOk));  // LibTorch's and CUDA's farewells take 0.1 s
}

void answer_by_hand(const WorkerRequest& request, const Backend& backend,
                    const Packages& packages) {
  write_all(to_text(report_on(request, backend, packages)), STDOUT_FILENO);
}

}  // namespace perfgate
