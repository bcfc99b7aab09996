# What a build of perfgate alone decides, and a project that has perfgate as a part decides for itself.

include(CTest)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# Figures depend on the build type: a build without one would be a slow surprise.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
find_program(PERFGATE_CCACHE ccache)
if(PERFGATE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Where CI compiles each source by itself, the builds of one checkout share what they compile.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PERFGATE_CCACHE})
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    # Without this sloppiness ccache keeps nothing that was compiled with a precompiled header. With
    # the base folder a fresh clone finds what another one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      ${PERFGATE_CCACHE})
  endif()
endif()
