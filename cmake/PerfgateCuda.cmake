# The CUDA backend is built where there is a CUDA toolkit, with or without a GPU; elsewhere the CPU
# backend alone. Sets PERFGATE_CUDA.

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "CUDA architectures to build for")
  endif()
  if(PERFGATE_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${PERFGATE_CCACHE})
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know how to ask nvcc 13 for C++20.
  set(CMAKE_CUDA_STANDARD 17)
  find_package(CUDAToolkit REQUIRED)
  set(PERFGATE_CUDA ON)
  message(STATUS "CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  set(PERFGATE_CUDA OFF)
  message(STATUS "No CUDA toolkit: the CPU backend alone")
endif()
