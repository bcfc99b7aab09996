# Writes OUT, the source that says whose cases a gate has (run/machine/suite.h), from SETTINGS, the file that perfgate_add_gate has
# written; and only when it changes. It holds the project's commit, and a version of each family's sources: a hash, so that
# two commits that measure the same work are known to do so, also in a copy without history.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/commit_of.cmake)
include(${SETTINGS})
perfgate_commit_of(${suite_root} ${suite_commit_variable} suite_commit)

set(all "")
foreach(file IN LISTS suite_sources)
  get_filename_component(file ${file} ABSOLUTE BASE_DIR ${suite_folder})
  if(NOT file STREQUAL OUT)
    file(RELATIVE_PATH file ${suite_root} ${file})
    list(APPEND all ${file})
  endif()
endforeach()
list(APPEND all ${suite_programs})

# A family that has a folder of its own is made of that; another one of all sources. What says only which of its tables are
# gated is no part of the work.
set(workloads "")
foreach(family IN LISTS suite_families)
  set(files ${all})
  if(IS_DIRECTORY ${suite_root}/${family})
    file(GLOB_RECURSE files RELATIVE ${suite_root} ${suite_root}/${family}/*)
    list(FILTER files INCLUDE REGEX "[.](h|hpp|cuh|c|cc|cpp|cxx|cu|py)$")  # no editor's or interpreter's leftovers
    list(FILTER files EXCLUDE REGEX "/tables[.]cpp$")
    list(APPEND files ${suite_common})
  endif()
  list(SORT files)
  if(NOT files)
    message(FATAL_ERROR "perfgate_add_gate(${suite_name}): there are no sources of the family ${family}")
  endif()
  set(text "")
  foreach(file IN LISTS files)
    file(SHA256 ${suite_root}/${file} hash)
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 version "${text}")
  string(SUBSTRING ${version} 0 12 version)
  string(APPEND workloads "      {\"${family}\", \"${version}\"},\n")
endforeach()

set(programs "")
foreach(file IN LISTS suite_programs)
  file(SHA256 ${suite_root}/${file} hash)
  string(APPEND programs "      {\"${file}\", \"${hash}\"},\n")
endforeach()
file(RELATIVE_PATH suite_program ${suite_build} ${suite_program})
foreach(list IN ITEMS families left_out)
  list(TRANSFORM suite_${list} REPLACE "(.+)" "\"\\1\"")
  list(JOIN suite_${list} ", " ${list})
endforeach()

string(SUBSTRING "${suite_commit}" 0 60 suite_commit)

file(CONFIGURE OUTPUT ${OUT} CONTENT [[
// Written by perfgate_add_gate.

#include "perfgate/run/machine/suite.h"

namespace perfgate {

// Of one size whatever it says, and unknown to the compiler: builds of two commits shall not differ
// in where the code lies that they measure.
char suite_commit[64] = "@suite_commit@";

Suite suite_of_this_program() {
  Suite out;
  out.name = "@suite_name@";
  out.commit = suite_commit;
  out.baselines = R"(@suite_baselines@)";
  out.families = {@families@};
  out.left_out = {@left_out@};
  out.workloads = {
@workloads@  };
  out.programs = {
@programs@  };
  out.exporter = R"(@suite_exporter@)";
  out.python = R"(@suite_python@)";
  out.build = R"(@suite_build@)";
  out.program = R"(@suite_program@)";
  out.packages_target = "@suite_packages_target@";
  return out;
}

}  // namespace perfgate
]] @ONLY)
