# Third-party libraries: the system's where there are any, else fetched. A machine without network
# names sources it carried: -DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=... and so on. README.md says why
# each is there. With PERFGATE_LIST_MISSING it only says what it would not find, for ctest/building.sh.

include(FetchContent)

set(_perfgate_missing "")

# _perfgate_library(NAME DEBIAN URL HASH ARGUMENTS...): the arguments are find_package's.
macro(_perfgate_library name debian url hash)
  if(NOT PERFGATE_LIST_MISSING)
    FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${hash} FIND_PACKAGE_ARGS ${ARGN})
    list(APPEND _perfgate_libraries ${name})
  else()
    string(TOUPPER ${name} _perfgate_upper)
    if(NOT FETCHCONTENT_SOURCE_DIR_${_perfgate_upper})
      find_package(${name} ${ARGN} QUIET)
      if(NOT ${name}_FOUND)
        list(APPEND _perfgate_missing ${debian})
      endif()
    endif()
  endif()
endmacro()

_perfgate_library(googletest libgmock-dev https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7 NAMES GTest COMPONENTS gmock)
_perfgate_library(nlohmann_json nlohmann-json3-dev https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
  0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406 3.10)
_perfgate_library(CLI11 libcli11-dev https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a 2.1)
_perfgate_library(fmt libfmt-dev https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2 9)
_perfgate_library(pugixml libpugixml-dev https://github.com/zeux/pugixml/archive/refs/tags/v1.13.tar.gz
  5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1 1.10)

# Boost.Math is header-only. It is not fetched: no hash of its archive is known to us, and what is
# fetched without one is whatever the network says.
find_package(Boost 1.74 QUIET GLOBAL)
if(PERFGATE_LIST_MISSING)
  if(NOT Boost_FOUND)
    list(APPEND _perfgate_missing libboost-math-dev)
  endif()
  list(JOIN _perfgate_missing "\n" _perfgate_missing)
  file(WRITE ${PERFGATE_LIST_MISSING} "${_perfgate_missing}\n")
  return()
endif()
if(NOT Boost_FOUND)
  message(FATAL_ERROR "No Boost 1.74 or later: install it (Debian: libboost-math-dev), or name its "
                      "headers with -DBoost_INCLUDE_DIR=...")
endif()
add_library(perfgate_boost_math INTERFACE)
target_link_libraries(perfgate_boost_math INTERFACE Boost::headers)

# What perfgate's headers include is installed beside them where it was fetched.
set(INSTALL_GTEST ${PERFGATE_INSTALL})
set(JSON_Install ${PERFGATE_INSTALL} CACHE INTERNAL "nlohmann_json's: whether it is installed")
FetchContent_MakeAvailable(${_perfgate_libraries})
