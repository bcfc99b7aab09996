#include "perfgate/backends/cpu_tracer.h"

#include <ATen/Version.h>
#include <ATen/native/verbose_wrapper.h>
#include <ATen/record_function.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "perfgate/core/numbers.h"
#include "perfgate/measure/library_calls.h"

namespace perfgate {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

// The operators that ended since they were last collected. LibTorch calls back plain functions, so
// that there is one of it.
class Operators {
 public:
  static Operators& instance() {
    static Operators the_operators;
    return the_operators;
  }

  void start() {
    instruction_set_ = at::get_cpu_capability();
    handle_ = at::addGlobalCallback(
        at::RecordFunctionCallback(&begin, &end)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  }

  void stop() {
    if (handle_) {
      at::removeCallback(*handle_);
      handle_.reset();
    }
    collect();
  }

  std::vector<Activity> collect() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(ended_, {});
  }

 private:
  struct Call : at::ObserverContext {
    std::int64_t start_ns = now_ns();
    std::int64_t inner_ns = 0;  // of the operators that it calls
    Call* caller = nullptr;
  };

  static Call*& current() {
    thread_local Call* the_current = nullptr;
    return the_current;
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& /*function*/) {
    auto call = std::make_unique<Call>();
    call->caller = std::exchange(current(), call.get());
    return call;
  }

  static void end(const at::RecordFunction& function, at::ObserverContext* context) {
    auto& call = *static_cast<Call*>(context);
    const std::int64_t end_ns = now_ns();
    current() = call.caller;
    if (call.caller != nullptr) {
      call.caller->inner_ns += end_ns - call.start_ns;
    }
    instance().add(function.name(), call, end_ns);
  }

  void add(const char* name, const Call& call, std::int64_t end_ns) {
    constexpr std::int64_t kLeastOwn = 1;  // recorded lengths are above 0
    Activity out;
    out.kernel.name = name;
    out.kernel.implementation = instruction_set_;
    out.kernel.count = 1;
    out.start_ns = call.start_ns;
    out.end_ns = std::max(end_ns, call.start_ns + call.inner_ns + kLeastOwn);
    out.inner_ns = call.inner_ns;
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_.push_back(std::move(out));
  }

  std::string instruction_set_;
  std::optional<at::CallbackHandle> handle_;
  std::mutex mutex_;
  std::vector<Activity> ended_;
};

// Takes what is written to the standard output, until it is destroyed.
class TakenOutput {
 public:
  TakenOutput() {
    std::fflush(stdout);
    file_ = memfd_create("perfgate", MFD_CLOEXEC);
    before_ = dup(STDOUT_FILENO);
    if (file_ < 0 || before_ < 0 || dup2(file_, STDOUT_FILENO) < 0) {
      close_all();
      throw TraceError(std::string("the standard output cannot be taken: ") + std::strerror(errno),
                       "libraries write there which kernels they run");
    }
  }
  TakenOutput(const TakenOutput&) = delete;
  TakenOutput& operator=(const TakenOutput&) = delete;
  ~TakenOutput() {
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    close_all();
  }

  // What came since it was last read.
  std::string read() {
    std::fflush(stdout);
    std::string out;
    char block[4096];
    for (ssize_t got = 0; (got = pread(file_, block, sizeof block, read_)) > 0; read_ += got) {
      out.append(block, static_cast<std::size_t>(got));
    }
    return out;
  }

 private:
  void close_all() const {
    close(file_);
    close(before_);
  }

  int file_ = -1;
  int before_ = -1;
  off_t read_ = 0;
};

// As the user has asked the library to speak.
int level_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? 0 : static_cast<int>(std::strtol(value, nullptr, 10));
}

class CpuTracer final : public KernelTracer {
 public:
  void start() override {
    output_.emplace();
    point_.emplace();  // oneDNN's fields are separated by commas
    // Where this LibTorch has neither library, operators are all that there is.
    torch::verbose::_mkldnn_set_verbose(1);
    torch::verbose::_mkl_set_verbose(1);
    Operators::instance().start();
  }

  std::vector<Activity> collect() override {
    std::vector<Activity> out = Operators::instance().collect();
    const auto calls = library_calls(output_->read());
    out.insert(out.end(), calls.begin(), calls.end());
    return out;
  }

  void stop() noexcept override {
    Operators::instance().stop();
    torch::verbose::_mkldnn_set_verbose(level_of("ONEDNN_VERBOSE"));
    torch::verbose::_mkl_set_verbose(level_of("MKL_VERBOSE"));
    output_.reset();
    point_.reset();
  }

 private:
  std::optional<PointInNumbers> point_;
  std::optional<TakenOutput> output_;
};

}  // namespace

std::unique_ptr<KernelTracer> make_cpu_tracer() { return std::make_unique<CpuTracer>(); }

}  // namespace perfgate
