# Which LibTorch is measured. Chosen anew by each configuring, so that none is kept from an earlier one:
#   0. where perfgate is part of a larger build, the one that this has found already;
#   1. what is named: Torch_DIR, Torch_ROOT or CMAKE_PREFIX_PATH (variables or environment), or the torch of PERFGATE_PYTHON;
#   2. the torch of the python3 on PATH;
#   3. the pinned one, which is fetched into PERFGATE_LIBTORCH_FOLDER (build/libtorch), and again where the pin has changed.
# Sets PERFGATE_TORCH (its folder), PERFGATE_TORCH_TEXT (version, commit, folder, and who named it) and PERFGATE_PYTHON, which
# exports compiled packages (empty: there is none that has this LibTorch).

include(${CMAKE_CURRENT_LIST_DIR}/PerfgateTorchFolders.cmake)
set(PERFGATE_PYTHON "" CACHE FILEPATH "Python that has the LibTorch to measure, for compiled packages")
set(_perfgate_oldest 2.11)
if(PROJECT_IS_TOP_LEVEL)
  set(PERFGATE_LIBTORCH_FOLDER ${PROJECT_SOURCE_DIR}/build/libtorch)
else()
  set(PERFGATE_LIBTORCH_FOLDER ${CMAKE_BINARY_DIR}/_deps/perfgate-libtorch)
endif()
set(_perfgate_pins ${PROJECT_SOURCE_DIR}/cmake/libtorch-cpu.txt ${PROJECT_SOURCE_DIR}/cmake/libtorch-cuda.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_perfgate_pins})

# The pinned one, fetched where it is not there yet.
function(_perfgate_fetch out_python out_torch)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/fetch_libtorch.sh ${PERFGATE_LIBTORCH_FOLDER}
                  OUTPUT_VARIABLE venv OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "No LibTorch. Name one with -DCMAKE_PREFIX_PATH=<torch>/share/cmake, or put "
                        "a python3 that has torch on PATH.")
  endif()
  _perfgate_torch_of(${venv}/bin/python3 python torch)
  set(${out_python} ${python} PARENT_SCOPE)
  set(${out_torch} ${torch} PARENT_SCOPE)
endfunction()

if(PERFGATE_FOUND_TORCH_DIR AND "${Torch_DIR}" STREQUAL PERFGATE_FOUND_TORCH_DIR)
  unset(Torch_DIR CACHE)  # of a configuring that failed
endif()
_perfgate_torch_of_project(PERFGATE_TORCH _perfgate_by)
if(PERFGATE_TORCH)
  if(NOT PERFGATE_PYTHON)
    _perfgate_python_of(${PERFGATE_TORCH} PERFGATE_PYTHON)
  endif()
  if(NOT PERFGATE_PYTHON)
    message(WARNING "No Python has the LibTorch at ${PERFGATE_TORCH}: compiled cases cannot run, and are LOST where a baseline has "
                    "them. Name a Python that has this version of torch with -DPERFGATE_PYTHON=...")
  endif()
elseif(PERFGATE_PYTHON)
  set(_perfgate_by PERFGATE_PYTHON)
  _perfgate_torch_of(${PERFGATE_PYTHON} _perfgate_python PERFGATE_TORCH)
  if(NOT PERFGATE_TORCH)
    message(FATAL_ERROR "PERFGATE_PYTHON (${PERFGATE_PYTHON}) has no torch with CMake files: name another, or none")
  endif()
else()
  set(_perfgate_by "the python3 on PATH")
  _perfgate_torch_of(python3 PERFGATE_PYTHON PERFGATE_TORCH)
  if(PERFGATE_TORCH)
    _perfgate_version_of(${PERFGATE_TORCH} _perfgate_version _perfgate_commit)
    if(_perfgate_version VERSION_LESS _perfgate_oldest)
      message(STATUS "LibTorch ${_perfgate_version} of the python3 on PATH is older than ${_perfgate_oldest}: passed over")
      set(PERFGATE_TORCH "")
    endif()
    _perfgate_lacks_toolkit("${PERFGATE_TORCH}" _perfgate_lacks)
    if(PERFGATE_TORCH AND _perfgate_lacks)
      message(STATUS "LibTorch ${_perfgate_version} of the python3 on PATH is for GPUs, and there is no CUDA toolkit: passed over")
      set(PERFGATE_TORCH "")
    endif()
  endif()
  if(NOT PERFGATE_TORCH)
    set(_perfgate_by "the pin in cmake/libtorch-*.txt")
    _perfgate_fetch(PERFGATE_PYTHON PERFGATE_TORCH)
  endif()
endif()

_perfgate_version_of(${PERFGATE_TORCH} _perfgate_version _perfgate_commit)
if(_perfgate_version AND _perfgate_version VERSION_LESS _perfgate_oldest)
  message(FATAL_ERROR "LibTorch ${_perfgate_version} at ${PERFGATE_TORCH} is older than ${_perfgate_oldest}: name another")
endif()
_perfgate_lacks_toolkit(${PERFGATE_TORCH} _perfgate_lacks)
if(_perfgate_lacks)
  message(FATAL_ERROR "LibTorch ${_perfgate_version} at ${PERFGATE_TORCH} is for GPUs, and there is no CUDA toolkit (nvcc): install "
                      "one, or name a CPU build")
endif()
_perfgate_text_of(${PERFGATE_TORCH} PERFGATE_TORCH_TEXT)
string(APPEND PERFGATE_TORCH_TEXT ", by ${_perfgate_by}")
