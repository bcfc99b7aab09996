# Writes OUT, a header with the commit of perfgate's sources, and only when it changes: relinking on every build would be noise.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/commit_of.cmake)
set(commit unknown)
if(EXISTS ${SOURCE}/.git OR DEFINED ENV{PERFGATE_COMMIT})  # else the history around it is that of another project
  perfgate_commit_of(${SOURCE} PERFGATE_COMMIT commit)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#pragma once\n#define PERFGATE_COMMIT \"@commit@\"\n" @ONLY)
