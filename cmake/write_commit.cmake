# Writes OUT/perfgate_commit.h and OUT/perfgate_programs.h, and only when they change: relinking on every build would be noise.
# It holds the commit, and a version of each family's workloads: a hash over its sources, so that two
# commits that measure the same work are known to do so, also in a copy without history.

cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
find_program(git git)
if(DEFINED ENV{PERFGATE_COMMIT})  # a copy without history: whoever made it says of what
  set(commit $ENV{PERFGATE_COMMIT})
elseif(git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(commit ${described})
  endif()
endif()

# Of every family: its own sources, and those of the random inputs that all of them measure.
set(root ${SOURCE}/src/perfgate/workloads)
set(families "")
file(GLOB folders LIST_DIRECTORIES true RELATIVE ${root} ${root}/*)
list(SORT folders)
foreach(family IN LISTS folders)
  if(NOT IS_DIRECTORY ${root}/${family})
    continue()
  endif()
  file(GLOB_RECURSE files RELATIVE ${root} ${root}/${family}/*.h ${root}/${family}/*.cpp ${root}/${family}/*.py
       ${root}/inputs.h ${root}/inputs.cpp)
  list(SORT files)
  set(text "")
  foreach(file IN LISTS files)
    file(SHA256 ${root}/${file} hash)
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 version "${text}")
  string(SUBSTRING ${version} 0 12 version)
  string(APPEND families " {\"${family}\", \"${version}\"},")
endforeach()
string(REGEX REPLACE "^ |,$" "" families "${families}")

# What the exporter compiles packages from.
set(programs "")
file(GLOB_RECURSE files RELATIVE ${root} ${root}/*.py)
list(SORT files)
foreach(file IN LISTS files)
  file(SHA256 ${root}/${file} hash)
  string(APPEND programs " {\"${file}\", \"${hash}\"},")
endforeach()
string(REGEX REPLACE "^ |,$" "" programs "${programs}")
file(CONFIGURE OUTPUT ${OUT}/perfgate_programs.h CONTENT
     "#pragma once\n#define PERFGATE_PROGRAMS @programs@\n" @ONLY)

file(CONFIGURE OUTPUT ${OUT}/perfgate_commit.h CONTENT
     "#pragma once\n#define PERFGATE_COMMIT \"@commit@\"\n#define PERFGATE_WORKLOADS @families@\n" @ONLY)
