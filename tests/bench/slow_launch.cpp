// A slower launch path on purpose: a library for LD_PRELOAD that lets every launch of a kernel take
// the host so many microseconds more, whoever launches: LibTorch, cuBLAS, the control.
//
//     SLOW_LAUNCH_US=30 LD_PRELOAD=.../libbench_slow_launch.so
//         perfgate --against_env=before:SLOW_LAUNCH_US=0 --case='ops/mm/bf16/N512/*'
//
// SLOW_LAUNCH_US: unset or 0: it launches as it is. SLOW_LAUNCH_SKIP: kernels whose names have that
// in them are spared; with perfgate_ it is all but perfgate's own, as if LibTorch's dispatch were
// slower and not launching itself.
//
// Libraries that link CUDA's runtime statically do not look its functions up where a preloaded
// library stands first: they ask the driver for the address of each (cuGetProcAddress), and find
// that by dlsym. So both are answered here.

#include <cuda.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace {

using Clock = std::chrono::steady_clock;
using Launch = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, CUstream, void**, void**);
using LaunchEx = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);
using NameOf = CUresult (*)(const char**, CUfunction);
using NameOfKernel = CUresult (*)(const char**, CUkernel);
using AddressOf = CUresult (*)(const char*, void**, int, cuuint64_t,
                               CUdriverProcAddressQueryResult*);
using Lookup = void* (*)(void*, const char*) noexcept;  // or there is no jump below

// glibc's own: a plain call of dlsym would come back here.
Lookup real_dlsym() {
  static const auto out = reinterpret_cast<Lookup>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
  return out;
}

template <class Function>
Function in_driver(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Function>(real_dlsym()(driver, name));
}

// A launch takes either kind of handle.
const char* name_of(CUfunction function) {
  static const auto of_function = in_driver<NameOf>("cuFuncGetName");
  static const auto of_kernel = in_driver<NameOfKernel>("cuKernelGetName");
  const char* out = nullptr;
  if (of_function != nullptr && of_function(&out, function) == CUDA_SUCCESS) {
    return out;
  }
  return of_kernel != nullptr &&
                 of_kernel(&out, reinterpret_cast<CUkernel>(function)) == CUDA_SUCCESS
             ? out
             : nullptr;
}

bool is_spared(CUfunction function) {
  static const char* const part = std::getenv("SLOW_LAUNCH_SKIP");
  const char* const name = part == nullptr ? nullptr : name_of(function);
  return name != nullptr && std::strstr(name, part) != nullptr;
}

// Busy, as a slower path would be: a sleep would take fifty microseconds at least.
void take_longer(CUfunction function) {
  static const char* const text = std::getenv("SLOW_LAUNCH_US");
  static const std::chrono::duration<double, std::micro> more(
      text == nullptr ? 0 : std::strtod(text, nullptr));
  if (more.count() <= 0 || is_spared(function)) {
    return;
  }
  const auto end = Clock::now() + more;
  while (Clock::now() < end) {
  }
}

CUresult slow_launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                     CUstream stream, void** parameters, void** extra) {
  static const auto launch = in_driver<Launch>("cuLaunchKernel");
  take_longer(function);
  return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
                parameters, extra);
}

CUresult slow_launch_ex(const CUlaunchConfig* config, CUfunction function, void** parameters,
                        void** extra) {
  static const auto launch = in_driver<LaunchEx>("cuLaunchKernelEx");
  take_longer(function);
  return launch(config, function, parameters, extra);
}

CUresult address_of(const char* symbol, void** address, int version, cuuint64_t flags,
                    CUdriverProcAddressQueryResult* found) {
  static const auto ask = in_driver<AddressOf>("cuGetProcAddress_v2");
  const CUresult out = ask(symbol, address, version, flags, found);
  // With its address found: a driver without one has none to be slowed. The per-thread default
  // stream's flavour is not slowed: neither LibTorch nor perfgate is built with it.
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  if (out == CUDA_SUCCESS && address != nullptr && *address != nullptr && !per_thread) {
    if (std::strcmp(symbol, "cuLaunchKernel") == 0) {
      *address = reinterpret_cast<void*>(&slow_launch);
    } else if (std::strcmp(symbol, "cuLaunchKernelEx") == 0) {
      *address = reinterpret_cast<void*>(&slow_launch_ex);
    } else if (std::strcmp(symbol, "cuGetProcAddress") == 0 && version >= 12000) {
      *address = reinterpret_cast<void*>(&address_of);
    }
  }
  return out;
}

// What stands in for a function of the driver, or null.
void* stand_in(const char* name) {
  if (std::strcmp(name, "cuLaunchKernel") == 0) {
    return reinterpret_cast<void*>(&slow_launch);
  }
  if (std::strcmp(name, "cuLaunchKernelEx") == 0) {
    return reinterpret_cast<void*>(&slow_launch_ex);
  }
  if (std::strcmp(name, "cuGetProcAddress_v2") == 0) {
    return reinterpret_cast<void*>(&address_of);
  }
  return nullptr;
}

}  // namespace

extern "C" void* dlsym(void* handle, const char* name) noexcept {
  void* const instead = stand_in(name);
  if (instead == nullptr) {
    return real_dlsym()(handle, name);  // a jump, by -O2: what is next goes by who asks
  }
  return real_dlsym()(handle, name) == nullptr ? nullptr : instead;
}

// By who is linked with the driver itself.
extern "C" CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** parameters, void** extra) {
  return slow_launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                     stream, parameters, extra);
}

extern "C" CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function,
                                     void** parameters, void** extra) {
  return slow_launch_ex(config, function, parameters, extra);
}
