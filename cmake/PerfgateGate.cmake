# perfgate_add_gate(NAME SOURCES file... [PACKAGES file.py...] [FAMILIES family[:shards]...] [LEFT_OUT family...]
#                   [LINKS target...]
#                   [BASELINES folder] [ROOT folder] [FOLDER folder] [COMMON file...])
#
# A gate of your own: the program NAME, and the tests of CTest that run it.
#   SOURCES    what defines your cases (docs/your-kernel.md shows one), and the work itself where that has no library
#   PACKAGES   Python programs that compiled cases are made from, as their Package names them
#   FAMILIES   the first words of your cases' keys; without it NAME. Each is a test, perf.<family>; "family:4" is four tests of
#              about the same length on a machine with GPUs, so that `ctest -j` can use several. A case of another family is
#              an error: no test would gate it.
#   LEFT_OUT   families that have a baseline and that this build leaves out on purpose: their cases are not LOST
#   LINKS      libraries that the cases use, and object libraries that have some
#   BASELINES  where baselines are checked in; without it baselines/ here
#   ROOT       the folder that PACKAGES are relative to; without it this one. A family that has a folder there is recorded with
#              a version of the sources there and of COMMON, another one with that of SOURCES, headers only where they are named
#   FOLDER     where the program (bin/), its packages, results and history go; without it NAME/ in the build folder
#
# A family's packages are compiled before it is gated, beside nothing else: with one GPU, just before; with several, those of
# all families first. Where one cannot be compiled, the gate goes on and that test fails. A run in which nothing could run is
# Skipped, not passed. On a CPU families measure one after the other. A build gates the GPUs where its LibTorch serves them,
# else the CPU. `cmake --build ... --target NAME_packages` compiles the packages of all families at once, without a gate.

function(perfgate_add_gate name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "BASELINES;ROOT;FOLDER" "SOURCES;PACKAGES;FAMILIES;LEFT_OUT;LINKS;COMMON")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "perfgate_add_gate(${name}): cannot read \"${ARG_UNPARSED_ARGUMENTS}${ARG_KEYWORDS_MISSING_VALUES}\"")
  endif()
  if(name STREQUAL "perfgate" AND NOT PROJECT_NAME STREQUAL "perfgate")
    message(FATAL_ERROR "perfgate_add_gate(perfgate): that is the name of perfgate's own suite, take another")
  endif()
  foreach(value IN LISTS ARG_SOURCES ARG_PACKAGES ARG_FAMILIES ARG_LINKS ARG_COMMON)
    if(value MATCHES "^[A-Z]+$" AND NOT TARGET "${value}" AND NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${value}")
      message(FATAL_ERROR "perfgate_add_gate(${name}): unknown argument ${value}: PerfgateGate.cmake explains which there are")
    endif()
  endforeach()
  if(NOT ARG_SOURCES AND NOT ARG_LINKS)
    message(FATAL_ERROR "perfgate_add_gate(${name}): name the SOURCES that define its cases")
  endif()
  get_directory_property(testing DIRECTORY ${CMAKE_SOURCE_DIR} DEFINITION CMAKE_TESTING_ENABLED)
  if(NOT testing)
    message(FATAL_ERROR "perfgate_add_gate(${name}): write enable_testing() before it, in the CMakeLists.txt of the whole project")
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    message(WARNING "perfgate_add_gate(${name}): without a CMAKE_BUILD_TYPE nothing is optimised: -DCMAKE_BUILD_TYPE=Release")
  endif()
  set(default_BASELINES ${CMAKE_CURRENT_SOURCE_DIR}/baselines)
  set(default_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
  set(default_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(default_FAMILIES ${name})
  foreach(argument IN ITEMS BASELINES ROOT FOLDER FAMILIES)
    if(NOT ARG_${argument})
      set(ARG_${argument} ${default_${argument}})
    endif()
  endforeach()
  get_filename_component(suite_baselines "${ARG_BASELINES}" ABSOLUTE)
  get_filename_component(suite_root "${ARG_ROOT}" ABSOLUTE)
  if(NOT suite_baselines STREQUAL default_BASELINES AND NOT IS_DIRECTORY "${suite_baselines}")
    message(FATAL_ERROR "perfgate_add_gate(${name}): no folder ${suite_baselines} for BASELINES: create it, or name another")
  endif()
  # A gate calls what its folder has and it does not declare LOST.
  string(SHA256 folder_name "${suite_baselines}")
  get_property(other_gate GLOBAL PROPERTY PERFGATE_GATE_OF_${folder_name})
  if(other_gate)
    message(FATAL_ERROR "perfgate_add_gate(${name}): ${other_gate} has its baselines in ${suite_baselines}: name another folder with BASELINES")
  endif()
  set_property(GLOBAL PROPERTY PERFGATE_GATE_OF_${folder_name} ${name})
  get_property(suite_exporter GLOBAL PROPERTY PERFGATE_EXPORTER)
  get_property(suite_python GLOBAL PROPERTY PERFGATE_PYTHON)
  get_property(on_gpus GLOBAL PROPERTY PERFGATE_ON_GPUS)

  # What the program says of itself. Its sources are those that it has at last: target_sources may add some behind this.
  list(TRANSFORM ARG_FAMILIES REPLACE ":.*" "" OUTPUT_VARIABLE suite_families)
  set(commit_variable PERFGATE_SUITE_COMMIT)
  if(name STREQUAL "perfgate")
    set(commit_variable PERFGATE_COMMIT)
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
  string(CONFIGURE [[
set(suite_name "@name@")
set(suite_root "@suite_root@")
set(suite_commit_variable @commit_variable@)
set(suite_baselines "@suite_baselines@")
set(suite_families "@suite_families@")
set(suite_left_out "@ARG_LEFT_OUT@")
set(suite_folder "@CMAKE_CURRENT_SOURCE_DIR@")
set(suite_sources "$<TARGET_PROPERTY:@name@,SOURCES>")
set(suite_common "@ARG_COMMON@")
set(suite_programs "@ARG_PACKAGES@")
set(suite_exporter "@suite_exporter@")
set(suite_python "@suite_python@")
set(suite_build "@CMAKE_BINARY_DIR@")
set(suite_program "$<TARGET_FILE:@name@>")
set(suite_packages_target "@name@_packages")
]] settings @ONLY)
  file(GENERATE OUTPUT ${generated}/${name}_suite.cmake CONTENT "${settings}")
  add_custom_target(${name}_suite
    COMMAND ${CMAKE_COMMAND} -DSETTINGS=${generated}/${name}_suite.cmake -DOUT=${generated}/${name}_suite.cpp
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/write_suite.cmake
    BYPRODUCTS ${generated}/${name}_suite.cpp
    VERBATIM COMMENT "Looking up what ${name} is made of")

  add_executable(${name} ${ARG_SOURCES} ${generated}/${name}_suite.cpp)
  add_dependencies(${name} ${name}_suite)
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} perfgate::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${ARG_FOLDER}/bin)
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)  # what is beside bin/ is found from the program
    string(TOUPPER "${configuration}" configuration)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY_${configuration} ${ARG_FOLDER}/bin)
  endforeach()
  if(on_gpus)  # by which packages are tuned
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${ARG_FOLDER}/lib
      COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:perfgate::timing> ${ARG_FOLDER}/lib/libperfgate_timing.so
      VERBATIM)
  endif()

  # What compiled cases load. Where there is no Python they are UNSUPPORTED with that reason.
  if(suite_python)
    set(export_packages ${suite_python} ${suite_exporter}/export_packages.py $<TARGET_FILE:${name}> ${suite_root}
        ${ARG_FOLDER}/packages)
  else()
    set(export_packages ${CMAKE_COMMAND} -E echo
        "no Python has this LibTorch (-DPERFGATE_PYTHON=... names one): compiled cases cannot run")
  endif()
  if(ARG_PACKAGES)
    add_custom_target(${name}_packages
      COMMAND ${export_packages}
      DEPENDS ${name}
      USES_TERMINAL VERBATIM COMMAND_EXPAND_LISTS
      COMMENT "Compiling packages that have changed")
  endif()

  foreach(family IN LISTS ARG_FAMILIES)
    set(shards 1)
    if(family MATCHES "^(.*):([0-9]+)$")
      set(family ${CMAKE_MATCH_1})
      if(on_gpus)
        set(shards ${CMAKE_MATCH_2})
      endif()
    endif()
    if(ARG_PACKAGES)
      add_test(NAME packages.${family} COMMAND ${export_packages} --family=${family})
      set_tests_properties(packages.${family} PROPERTIES LABELS "perf;${family}" RUN_SERIAL ON TIMEOUT 7200)
    endif()
    foreach(shard RANGE 1 ${shards})
      set(test perf.${family})
      set(sharding "GTEST_TOTAL_SHARDS=unset:;GTEST_SHARD_INDEX=unset:")
      if(shards GREATER 1)
        set(test perf.${family}.${shard}of${shards})
        math(EXPR index "${shard} - 1")
        set(sharding "GTEST_TOTAL_SHARDS=set:${shards};GTEST_SHARD_INDEX=set:${index};PERFGATE_SHARDED_BY=set:ctest")
      endif()
      add_test(NAME ${test} COMMAND ${name} --family=${family})
      set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 7200 ENVIRONMENT_MODIFICATION "${sharding}")
      if(ARG_PACKAGES)
        set_tests_properties(${test} PROPERTIES DEPENDS packages.${family})
      endif()
      if(on_gpus)
        set_tests_properties(${test} PROPERTIES LABELS "perf;gpu;${family}" RESOURCE_GROUPS gpus:1)
      else()
        set_tests_properties(${test} PROPERTIES LABELS "perf;cpu;${family}" RUN_SERIAL ON)
      endif()
    endforeach()
  endforeach()
endfunction()
