# LibTorch: from Torch_DIR or CMAKE_PREFIX_PATH, else from the python3 on PATH that has torch, else
# fetched into build/libtorch. Sets PERFGATE_PYTHON to the Python that exports compiled packages
# (empty: there is none, and compiled cases are UNSUPPORTED).

set(PERFGATE_PYTHON "" CACHE FILEPATH "Python with torch, of the same version as LibTorch")

function(_perfgate_prefix_of python out)
  execute_process(
    COMMAND ${python} -c "import torch; print(torch.utils.cmake_prefix_path)"
    OUTPUT_VARIABLE prefix ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(${out} ${prefix} PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

function(_perfgate_find_python)
  set(venv ${PROJECT_SOURCE_DIR}/build/libtorch)
  foreach(python IN ITEMS ${venv}/bin/python3 python3)
    _perfgate_prefix_of(${python} prefix)
    if(prefix)
      # By its path: another shell's PATH may have another python3.
      execute_process(COMMAND ${python} -c "import sys; print(sys.executable)"
                      OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE)
      set(PERFGATE_PYTHON ${python} CACHE FILEPATH "" FORCE)
      set(Torch_ROOT ${prefix} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(STATUS "LibTorch: fetching into ${venv}")
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/fetch_libtorch.sh ${venv}
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "No LibTorch. Name one with -DCMAKE_PREFIX_PATH=<torch>/share/cmake, or put "
                        "a python3 that has torch on PATH.")
  endif()
  _perfgate_prefix_of(${venv}/bin/python3 prefix)
  set(PERFGATE_PYTHON ${venv}/bin/python3 CACHE FILEPATH "" FORCE)
  set(Torch_ROOT ${prefix} PARENT_SCOPE)
endfunction()

find_package(Torch QUIET)
if(NOT Torch_FOUND)
  if(PERFGATE_PYTHON)
    _perfgate_prefix_of(${PERFGATE_PYTHON} Torch_ROOT)
  endif()
  if(NOT Torch_ROOT)
    _perfgate_find_python()
  endif()
  find_package(Torch REQUIRED)
endif()
message(STATUS "LibTorch ${Torch_VERSION} at ${TORCH_INSTALL_PREFIX}")

# A CPU LibTorch runs nothing on a GPU, whatever the toolkit beside it.
if(PERFGATE_CUDA AND TORCH_CUDA_LIBRARIES)
  set(PERFGATE_LIBTORCH_CUDA ON)
else()
  set(PERFGATE_LIBTORCH_CUDA OFF)
endif()

# Torch's headers warn under our flags, and its global flags are not wanted.
add_library(perfgate_libtorch INTERFACE)
target_link_libraries(perfgate_libtorch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(perfgate_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
