# Third-party libraries: the system's where there are any, else fetched. A machine without network
# names sources it carried: -DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=... and so on. README.md says why
# each is there.

include(FetchContent)

FetchContent_Declare(googletest
  URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  FIND_PACKAGE_ARGS NAMES GTest COMPONENTS gmock)
FetchContent_Declare(nlohmann_json
  URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
  FIND_PACKAGE_ARGS 3.10)
FetchContent_Declare(CLI11
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  FIND_PACKAGE_ARGS 2.1)
FetchContent_Declare(fmt
  URL https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  FIND_PACKAGE_ARGS 9)
FetchContent_Declare(pugixml
  URL https://github.com/zeux/pugixml/archive/refs/tags/v1.13.tar.gz
  FIND_PACKAGE_ARGS 1.10)
set(INSTALL_GTEST OFF)
FetchContent_MakeAvailable(googletest nlohmann_json CLI11 fmt pugixml)

# Boost.Math is header-only, from Boost as a whole or standalone.
find_package(Boost 1.74 QUIET)
if(Boost_FOUND)
  add_library(perfgate_boost_math INTERFACE)
  target_link_libraries(perfgate_boost_math INTERFACE Boost::headers)
else()
  FetchContent_Declare(boost_math
    URL https://github.com/boostorg/math/archive/refs/tags/boost-1.84.0.tar.gz)
  FetchContent_GetProperties(boost_math)
  if(NOT boost_math_POPULATED)
    FetchContent_Populate(boost_math)
  endif()
  add_library(perfgate_boost_math INTERFACE)
  target_include_directories(perfgate_boost_math SYSTEM INTERFACE ${boost_math_SOURCE_DIR}/include)
  target_compile_definitions(perfgate_boost_math INTERFACE BOOST_MATH_STANDALONE)
endif()
