# Third-party libraries: the system's where there are any, else fetched. A machine without network
# names sources it carried: -DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=... and so on. README.md says why
# each is there.

include(FetchContent)

FetchContent_Declare(googletest
  URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  URL_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
  FIND_PACKAGE_ARGS NAMES GTest COMPONENTS gmock)
FetchContent_Declare(nlohmann_json
  URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
  URL_HASH SHA256=0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
  FIND_PACKAGE_ARGS 3.10)
FetchContent_Declare(CLI11
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  FIND_PACKAGE_ARGS 2.1)
FetchContent_Declare(fmt
  URL https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  URL_HASH SHA256=5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2
  FIND_PACKAGE_ARGS 9)
FetchContent_Declare(pugixml
  URL https://github.com/zeux/pugixml/archive/refs/tags/v1.13.tar.gz
  URL_HASH SHA256=5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1
  FIND_PACKAGE_ARGS 1.10)
set(INSTALL_GTEST OFF)
FetchContent_MakeAvailable(googletest nlohmann_json CLI11 fmt pugixml)

# Boost.Math is header-only. It is not fetched: no hash of its archive is known to us, and what is
# fetched without one is whatever the network says.
find_package(Boost 1.74 QUIET GLOBAL)
if(NOT Boost_FOUND)
  message(FATAL_ERROR "No Boost 1.74 or later: install it (Debian: libboost-math-dev), or name its "
                      "headers with -DBoost_INCLUDE_DIR=...")
endif()
add_library(perfgate_boost_math INTERFACE)
target_link_libraries(perfgate_boost_math INTERFACE Boost::headers)
