# The night as a CTest dashboard: configure, build, compile packages, gate every workload on every
# GPU, say what the night came to. Fails on a regression, on a case without a baseline, on an unfit
# machine and on a night in which nothing ran; `ctest -S` itself would exit 0 on failed tests.
#
#   ctest -VV -S ctest/nightly.cmake
#
# Variables, by -DNAME=VALUE before -S:
#   CTEST_BINARY_DIRECTORY  build folder; default build/nightly
#   NIGHTLY_OPTIONS         more options for CMake, separated by ";"
#   NIGHTLY_RESULTS         folder for this night's results; default <build>/nights/<UTC time>
#   NIGHTLY_EXPORTS         perfgate's --export values, separated by ";"; into another folder than the
#                           results, which are every .json in theirs (export.py is called afterwards)
#   NIGHTLY_CANARIES        perfgate's --canaries; default 1: a night starts 3.5 % more processes
#   CTEST_SUBMIT_URL        a CDash server's submit.php?project=...; unset: nothing is submitted

cmake_minimum_required(VERSION 3.25)
get_filename_component(CTEST_SOURCE_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
if(NOT CTEST_BINARY_DIRECTORY)
  set(CTEST_BINARY_DIRECTORY ${CTEST_SOURCE_DIRECTORY}/build/nightly)
endif()
if(NOT NIGHTLY_RESULTS)
  string(TIMESTAMP now %Y-%m-%dT%H-%M-%S UTC)
  set(NIGHTLY_RESULTS ${CTEST_BINARY_DIRECTORY}/nights/${now})
endif()
if(NOT DEFINED NIGHTLY_CANARIES)
  set(NIGHTLY_CANARIES 1)
endif()
# A night in which no test ran is known by its having left no results (ctest's --no-tests=error has no
# like in a script before CMake 3.26): so nobody else's may lie there.
file(GLOB others ${NIGHTLY_RESULTS}/*.json)
if(others)
  message(FATAL_ERROR "nightly: ${NIGHTLY_RESULTS} has results already: name a new folder")
endif()
cmake_host_system_information(RESULT CTEST_SITE QUERY HOSTNAME)
set(CTEST_BUILD_NAME "perfgate")
set(CTEST_CMAKE_GENERATOR Ninja)
set(CTEST_NIGHTLY_START_TIME "00:00:00 UTC")
set(perfgate ${CTEST_BINARY_DIRECTORY}/bin/perfgate)

function(stop_unless_zero code what)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "nightly: ${what} (${code})")
  endif()
endfunction()

# A night that ends early is submitted as far as it came.
function(submit_and_stop_unless_zero code what)
  if(NOT code EQUAL 0 AND CTEST_SUBMIT_URL)
    ctest_submit()
  endif()
  stop_unless_zero("${code}" "${what}")
endfunction()

ctest_start(Nightly)
ctest_configure(OPTIONS "${NIGHTLY_OPTIONS}" RETURN_VALUE code)
submit_and_stop_unless_zero("${code}" "configuring failed")
ctest_build(TARGET perfgate NUMBER_ERRORS errors RETURN_VALUE code)
submit_and_stop_unless_zero("${code}" "the build failed, ${errors} errors")

# A clean set: what a shell left exported must not select, inject or record.
execute_process(COMMAND ${CMAKE_COMMAND} -E environment OUTPUT_VARIABLE environment)
string(REGEX MATCHALL "(^|\n)((PERFGATE|GTEST)_[A-Z_]+|TESTBRIDGE_TEST_ONLY)=" names "${environment}")
foreach(name IN LISTS names)
  string(REGEX REPLACE "[\n=]" "" name "${name}")
  if(NOT name MATCHES "^PERFGATE_(COMMIT|DEVICE_ID|HISTORY|LOCK_DIR|WORKER_TIMEOUT)$")
    message(STATUS "nightly: ${name} is not for a night: unset")
    unset(ENV{${name}})
  endif()
endforeach()

# A slot a GPU: as many tests at once as there are GPUs, one of them each. On a CPU, one at a time.
set(gpus ${CTEST_BINARY_DIRECTORY}/gpus.json)
execute_process(COMMAND ${perfgate} --resource_spec OUTPUT_FILE ${gpus} ERROR_QUIET
                RESULT_VARIABLE no_gpu)
set(parallel PARALLEL_LEVEL 1)
if(no_gpu EQUAL 0)
  file(READ ${gpus} spec)
  string(JSON count LENGTH "${spec}" local 0 gpus)
  set(parallel PARALLEL_LEVEL ${count} RESOURCE_SPEC_FILE ${gpus})
endif()

set(ENV{PERFGATE_CALLER} nightly.cmake)
set(ENV{PERFGATE_RESULTS} ${NIGHTLY_RESULTS})
set(ENV{PERFGATE_REQUIRE_BASELINE} true)
set(ENV{PERFGATE_CANARIES} ${NIGHTLY_CANARIES})
ctest_test(INCLUDE_LABEL "^perf$" ${parallel} RETURN_VALUE tests_code)
if(CTEST_SUBMIT_URL)
  ctest_submit(RETURN_VALUE submit_code)
endif()

# The results say what ctest cannot: a regression is 1, an unfit machine 3, no results at all 2.
list(TRANSFORM NIGHTLY_EXPORTS PREPEND --export=)
execute_process(COMMAND ${perfgate} --merge --color=never ${NIGHTLY_EXPORTS} RESULT_VARIABLE night)
if(night EQUAL 3)
  message(FATAL_ERROR "nightly: not judged in full, see above: an unfit machine, an unfit gate, or too many blind cases")
endif()
stop_unless_zero("${night}" "the gate failed, see above")
stop_unless_zero("${tests_code}" "a test died without results, or packages could not be compiled: see the log")
if(CTEST_SUBMIT_URL)
  stop_unless_zero("${submit_code}" "the night is good and could not be submitted")
endif()
