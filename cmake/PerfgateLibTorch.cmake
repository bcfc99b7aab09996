# The LibTorch that PerfgateChooseLibTorch has chosen, as the target perfgate::libtorch. After PerfgateCuda, since a LibTorch
# for GPUs asks for the toolkit. Sets PERFGATE_LIBTORCH_CUDA: it runs on GPUs.

if(NOT TARGET torch OR NOT TORCH_INSTALL_PREFIX)
  # Torch's CMake files keep in the cache where each library lies. Those of a LibTorch that was measured before would be linked.
  unset(Caffe2_DIR CACHE)
  if(TORCH_LIBRARY)
    get_filename_component(_perfgate_before ${TORCH_LIBRARY} REALPATH)
    get_filename_component(_perfgate_before ${_perfgate_before}/../.. ABSOLUTE)
    if(NOT _perfgate_before STREQUAL PERFGATE_TORCH)
      get_cmake_property(_perfgate_cached CACHE_VARIABLES)
      foreach(name IN LISTS _perfgate_cached)
        get_filename_component(_perfgate_real "${${name}}" REALPATH)
        string(FIND "${_perfgate_real}" "${_perfgate_before}/" at)
        if(at EQUAL 0 AND NOT name MATCHES "^(Torch_DIR|Torch_ROOT|CMAKE_PREFIX_PATH|PERFGATE_PYTHON)$")
          unset(${name} CACHE)
        endif()
      endforeach()
    endif()
  endif()

  # find_package keeps what it finds, also where it fails: the next configuring must not take that for what somebody named.
  if(NOT Torch_DIR)
    set(PERFGATE_FOUND_TORCH_DIR ${PERFGATE_TORCH}/share/cmake/Torch CACHE INTERNAL "Torch_DIR that nobody named")
  endif()
  set(_perfgate_named_dir "${Torch_DIR}")
  unset(Torch_DIR CACHE)
  # GLOBAL: a project that has perfgate as a part links it too.
  find_package(Torch REQUIRED CONFIG PATHS ${PERFGATE_TORCH}/share/cmake/Torch NO_DEFAULT_PATH GLOBAL)
  unset(Torch_DIR CACHE)
  if(_perfgate_named_dir)
    set(Torch_DIR ${_perfgate_named_dir} CACHE PATH "Folder of the TorchConfig.cmake of the LibTorch to measure")
    unset(PERFGATE_FOUND_TORCH_DIR CACHE)
  endif()
  get_filename_component(_perfgate_found ${TORCH_LIBRARY} REALPATH)
  get_filename_component(_perfgate_found ${_perfgate_found}/../.. ABSOLUTE)
  if(NOT _perfgate_found STREQUAL PERFGATE_TORCH)
    message(FATAL_ERROR "Another LibTorch is in CMake's way, ${TORCH_LIBRARY}: take it out of CMAKE_PREFIX_PATH and CMAKE_LIBRARY_PATH")
  endif()
endif()
message(STATUS "${PERFGATE_TORCH_TEXT}")

# A CPU LibTorch runs nothing on a GPU, whatever the toolkit beside it.
if(PERFGATE_CUDA AND TORCH_CUDA_LIBRARIES)
  set(PERFGATE_LIBTORCH_CUDA ON)
else()
  set(PERFGATE_LIBTORCH_CUDA OFF)
endif()

# Imported, so that its headers warn nobody, and named like what an installed perfgate asks for. Torch's global flags are not
# wanted.
add_library(perfgate::libtorch INTERFACE IMPORTED GLOBAL)
target_link_libraries(perfgate::libtorch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(perfgate::libtorch INTERFACE ${TORCH_INCLUDE_DIRS})
# LibTorch exports parts of its own copy of std::filesystem. Before libstdc++, some of its functions would work on objects that
# others have made: with LibTorch 2.11.0+cu130 remove_all() ended in a segmentation fault. By the name of its file, for -lstdc++
# did not bring it there.
target_link_options(perfgate::libtorch INTERFACE LINKER:--push-state,--no-as-needed,-l:libstdc++.so.6,--pop-state)

# What perfgate_add_gate has to know, in whichever folder it is called.
set_property(GLOBAL PROPERTY PERFGATE_PYTHON ${PERFGATE_PYTHON})
set_property(GLOBAL PROPERTY PERFGATE_ON_GPUS ${PERFGATE_LIBTORCH_CUDA})
