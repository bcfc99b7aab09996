# The CUDA backend is built where the chosen LibTorch serves GPUs and there is a CUDA toolkit, with or without a GPU; elsewhere
# the CPU backend alone. Sets PERFGATE_CUDA.

set(PERFGATE_BUILD_CUDA AUTO CACHE STRING
    "Whether the CUDA backend is built: AUTO (for a LibTorch that serves GPUs), TOOLKIT (wherever there is a toolkit), OFF")
set_property(CACHE PERFGATE_BUILD_CUDA PROPERTY STRINGS AUTO TOOLKIT OFF)

set(_perfgate_wants_cuda OFF)
if(PERFGATE_BUILD_CUDA STREQUAL "TOOLKIT" OR
   (PERFGATE_BUILD_CUDA STREQUAL "AUTO" AND EXISTS ${PERFGATE_TORCH}/lib/libtorch_cuda.so))
  set(_perfgate_wants_cuda ON)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)  # what was not found before may be there now
  endif()
  include(CheckLanguage)
  check_language(CUDA)
endif()
if(_perfgate_wants_cuda AND CMAKE_CUDA_COMPILER)
  # For the GPUs that are here, else for Hopper.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(architectures 90)
    find_program(PERFGATE_NVIDIA_SMI nvidia-smi)
    if(PERFGATE_NVIDIA_SMI)
      execute_process(COMMAND ${PERFGATE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                      OUTPUT_VARIABLE capabilities RESULT_VARIABLE code ERROR_QUIET)
      string(REGEX MATCHALL "[0-9]+[.][0-9]" capabilities "${capabilities}")
      if(code EQUAL 0 AND capabilities)
        list(REMOVE_DUPLICATES capabilities)
        string(REPLACE "." "" architectures "${capabilities}")
      endif()
    endif()
    if(PROJECT_IS_TOP_LEVEL)
      set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "CUDA architectures to build for")
    else()  # of perfgate's own code alone
      set(CMAKE_CUDA_ARCHITECTURES ${architectures})
    endif()
  endif()
  if(PERFGATE_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${PERFGATE_CCACHE})
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know how to ask nvcc 13 for C++20.
  set(CMAKE_CUDA_STANDARD 17)
  find_package(CUDAToolkit REQUIRED GLOBAL)
  set(PERFGATE_CUDA ON)
  message(STATUS "CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  set(PERFGATE_CUDA OFF)
  message(STATUS "No CUDA backend: no CUDA toolkit, or a LibTorch without CUDA")
endif()
