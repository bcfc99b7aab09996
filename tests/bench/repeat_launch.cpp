// A slower layer on purpose: a library for LD_PRELOAD that launches one kernel a second time, once
// in so many launches, whoever launches it (LibTorch, a compiled package), captured ones too:
//
//     KERNEL=triton_red_fused_mm_1 GRID_X=6144 EVERY=32
//         LD_PRELOAD=.../libbench_repeat_launch.so perfgate --case=...
//
// The kernel must not read what it writes, or the second launch changes the result.

#include <cuda.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace {

using Launch = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, CUstream, void**, void**);
using NameOf = CUresult (*)(const char**, CUfunction);

template <class Function>
Function in_driver(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Function>(dlsym(driver, name));
}

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Whether this launch is one of those that are to be repeated.
bool is_due(CUfunction function, unsigned grid_x) {
  static const auto name_of = in_driver<NameOf>("cuFuncGetName");
  static const std::string kernel = from_environment("KERNEL");
  static const std::string wanted_grid = from_environment("GRID_X");
  static const std::string every = from_environment("EVERY");
  static long launches = 0;
  const char* name = nullptr;
  if (kernel.empty() || name_of(&name, function) != CUDA_SUCCESS || kernel != name ||
      (!wanted_grid.empty() && std::to_string(grid_x) != wanted_grid)) {
    return false;
  }
  return launches++ % (every.empty() ? 1 : std::stol(every)) == 0;
}

}  // namespace

extern "C" CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** parameters, void** extra) {
  static const auto launch = in_driver<Launch>("cuLaunchKernel");
  const auto once = [&] {
    return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
                  parameters, extra);
  };
  const CUresult out = once();
  return out == CUDA_SUCCESS && is_due(function, grid_x) ? once() : out;
}
