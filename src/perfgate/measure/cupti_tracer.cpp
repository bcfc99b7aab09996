#include "perfgate/measure/cupti_tracer.h"

#include <cupti.h>
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

constexpr std::array<CUpti_ActivityKind, 3> kKinds = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

Activity activity_of(const CUpti_ActivityKernel9& record) {
  Activity out;
  out.kernel.name = normalised_kernel_name(record.name);
  out.kernel.count = 1;
  out.kernel.grid = {record.gridX, record.gridY, record.gridZ};
  out.kernel.block = {record.blockX, record.blockY, record.blockZ};
  out.kernel.registers = record.registersPerThread;
  out.kernel.shared_bytes = std::int64_t{record.staticSharedMemory} + record.dynamicSharedMemory;
  out.kernel.local_bytes = record.localMemoryPerThread;
  out.start_ns = static_cast<std::int64_t>(record.start);
  out.end_ns = static_cast<std::int64_t>(record.end);
  return out;
}

template <class Record>
Activity transfer_of(const Record& record, const char* name) {
  Activity out;
  out.kernel.name = name;
  out.kernel.count = 1;
  out.start_ns = static_cast<std::int64_t>(record.start);
  out.end_ns = static_cast<std::int64_t>(record.end);
  return out;
}

// CUPTI calls back without a context pointer, and from a thread of its own when a buffer is full,
// so its records gather in one guarded place a process.
class Gathered {
 public:
  void add(Activity activity) {
    const std::lock_guard lock(mutex_);
    activities_.push_back(std::move(activity));
  }
  std::vector<Activity> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(activities_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Activity> activities_;
};

Gathered& gathered() {
  static Gathered the_activities;
  return the_activities;
}

// The few functions that are used, from the library that was opened.
struct Functions {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiActivityDisable) disable;
  decltype(&cuptiActivityFlushAll) flush_all;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiGetResultString) result_string;

  bool complete() const {
    return register_callbacks && enable && disable && flush_all && next_record && result_string;
  }
};

void* open_library() {
  for (const int flags : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW}) {
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
      if (void* library = dlopen(name, flags)) {
        return library;
      }
    }
  }
  return nullptr;
}

// Opened once, for the rest of the process.
void* library() {
  static void* const the_library = open_library();
  return the_library;
}

template <class Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(library(), name));
}

Functions find_functions() {
  return {find<decltype(Functions::register_callbacks)>("cuptiActivityRegisterCallbacks"),
          find<decltype(Functions::enable)>("cuptiActivityEnable"),
          find<decltype(Functions::disable)>("cuptiActivityDisable"),
          find<decltype(Functions::flush_all)>("cuptiActivityFlushAll"),
          find<decltype(Functions::next_record)>("cuptiActivityGetNextRecord"),
          find<decltype(Functions::result_string)>("cuptiGetResultString")};
}

const Functions& functions() {
  static const Functions the_functions = find_functions();
  return the_functions;
}

void check(CUptiResult code, const char* doing) {
  if (code != CUPTI_SUCCESS) {
    const char* text = "unknown error";
    functions().result_string(code, &text);
    throw TraceError(std::string(doing) + ": " + text + " (CUPTI)",
                     "another profiler may be attached to the process; run without it");
  }
}

constexpr std::size_t kBufferBytes = std::size_t{4} << 20;
constexpr std::size_t kBufferAlignment = 8;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *max_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                          std::size_t /*size*/, std::size_t valid_size) {
  CUpti_Activity* record = nullptr;
  while (functions().next_record(buffer, valid_size, &record) == CUPTI_SUCCESS) {
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      case CUPTI_ACTIVITY_KIND_KERNEL:
        gathered().add(activity_of(*reinterpret_cast<CUpti_ActivityKernel9*>(record)));
        break;
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        gathered().add(transfer_of(*reinterpret_cast<CUpti_ActivityMemcpy5*>(record), "memcpy"));
        break;
      case CUPTI_ACTIVITY_KIND_MEMSET:
        gathered().add(transfer_of(*reinterpret_cast<CUpti_ActivityMemset4*>(record), "memset"));
        break;
      default:
        break;
    }
  }
  std::free(buffer);
}

class CuptiTracer final : public KernelTracer {
 public:
  void start() override {
    for (const auto kind : kKinds) {
      check(functions().enable(kind), "starting the kernel trace");
    }
  }
  std::vector<Activity> collect() override {
    check(functions().flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "reading the kernel trace");
    return gathered().take();
  }
  void stop() noexcept override {
    for (const auto kind : kKinds) {
      functions().disable(kind);  // what cannot be ended ends with the process
    }
  }
};

}  // namespace

std::unique_ptr<KernelTracer> open_cupti(std::string* why) {
  if (library() == nullptr) {
    *why = dlerror();
    return nullptr;
  }
  if (!functions().complete()) {
    *why = "libcupti lacks a function that is needed";
    return nullptr;
  }
  if (functions().register_callbacks(give_buffer, take_buffer) != CUPTI_SUCCESS) {
    *why = "CUPTI serves another profiler of this process";
    return nullptr;
  }
  return std::make_unique<CuptiTracer>();
}

}  // namespace perfgate
