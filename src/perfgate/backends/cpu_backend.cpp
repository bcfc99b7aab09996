// The CPU backend: one pinned core, one thread, memory kept by the allocator, huge pages.

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>

#include "perfgate/backends/backend.h"
#include "perfgate/backends/cores.h"
#include "perfgate/backends/cpu_tracer.h"
#include "perfgate/backends/perf_control.h"
#include "perfgate/device/cpu.h"
#include "perfgate/measure/cpu_sampler.h"

namespace perfgate {
namespace {

// The last core that we may use: interrupts and the parent gather on the first.
void pin_to_last_core(const cpu_set_t& allowed) {
  for (int core = CPU_SETSIZE - 1; core >= 0; --core) {
    if (CPU_ISSET(core, &allowed)) {
      pin_to(core);
      return;
    }
  }
}

// Large temporaries come from the heap and stay there. Mapping them anew in every sample would
// time the kernel's page faults: for half a gigabyte, more than the operator itself. The heap
// starts at a huge page and grows by many, for where it starts is random in every process, and with
// it which tensors share a huge page: layer_norm spread 5 % between processes before, 0.6 % after.
void keep_freed_memory() {
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  constexpr int kGrowth = 1 << 30;  // address space, not memory: pages come when touched
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  sbrk(static_cast<std::intptr_t>(kHugePage - end % kHugePage));
  mallopt(M_TOP_PAD, kGrowth);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

// A body that allocates without end gets std::bad_alloc, not the machine's out-of-memory killer.
void limit_address_space() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  constexpr rlim_t kReserved = rlim_t{64} << 30;  // mapped but unused: libraries, arenas, stacks
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, available_memory_bytes() + kReserved);
  setrlimit(RLIMIT_AS, &limit);
}

// A perf that was started so as to listen; without one the body runs all the same.
ProfilerControl perf_control() {
  const char* const fifos = std::getenv("PERFGATE_PERF_CONTROL");
  if (fifos == nullptr) {
    return {[] {}, [] {}};
  }
  const auto perf = std::make_shared<PerfControl>(fifos);
  return {[perf] { perf->enable(); }, [perf] { perf->disable(); }};
}

// Owns what the sampler borrows.
class CpuMeasurement final : public Sampler {
 public:
  MeasuredBody measure(const Body& body, const Conditions& conditions) override {
    return sampler_.measure(body, conditions);
  }
  TracedBody traced(const Body& body) override { return sampler_.traced(body); }
  CeilingRates ceilings() override { return sampler_.ceilings(); }

 private:
  static std::unique_ptr<CacheFlush> make_flush() {
#if defined(__x86_64__)
    return std::make_unique<LineFlush>();
#else
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::make_unique<EvictingFlush>(bytes > 0 ? static_cast<std::size_t>(bytes) : 64 << 20);
#endif
  }
  CpuClock clock_;
  std::unique_ptr<CacheFlush> flush_ = make_flush();
  std::unique_ptr<KernelTracer> tracer_ = make_cpu_tracer();
  CpuSampler sampler_{CpuProtocol{}, clock_, *flush_, make_control, tracer_.get()};
};

}  // namespace

Backend make_cpu_backend() {
  Backend out;
  out.torch_device = "cpu";
  const cpu_set_t allowed = allowed_cores();
  out.prepare_worker = [allowed] {
    pin_to_last_core(allowed);
    keep_freed_memory();
    limit_address_space();
  };
  // Or the threads that check share one core, and wait for each other by spinning.
  out.end_measuring = [allowed] { sched_setaffinity(0, sizeof allowed, &allowed); };
  out.available_bytes = [] { return static_cast<double>(available_memory_bytes()); };
  out.make_sampler = [] { return std::make_unique<CpuMeasurement>(); };
  out.make_profiler_control = perf_control;
  out.plan = [](Seconds expected) { return plan_for(CpuProtocol{}, expected); };
  return out;
}

}  // namespace perfgate
