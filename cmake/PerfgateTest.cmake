# perfgate_test(NAME LABELS ... SOURCES ... LINKS ...): a GoogleTest executable whose tests CTest
# knows one by one. Exported shards would make each of those processes run nothing and pass, so
# they are disarmed.

include(GoogleTest)

function(perfgate_test name)
  cmake_parse_arguments(ARG "" "" "LABELS;SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} perfgate_warnings GTest::gmock_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})  # "fixtures/..."
  target_compile_definitions(${name} PRIVATE PERFGATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE -O1)  # judge_test.cpp takes 9.6 s of CPU to compile, and 13.2 with -O3
  set(labels)
  foreach(label IN LISTS ARG_LABELS)
    list(APPEND labels LABELS ${label})  # one a label: a list is cut at its first element
  endforeach()
  gtest_discover_tests(${name}
    NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES ${labels} TIMEOUT 300 ENVIRONMENT_MODIFICATION "GTEST_TOTAL_SHARDS=unset:")
endfunction()
