# Writes OUT, a header that has each of FILES (NAME=PATH, separated by "|") as a std::string_view kNAME.

cmake_minimum_required(VERSION 3.25)
set(text "#pragma once\n#include <string_view>\nnamespace perfgate {\n")
string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${file}")
  set(name ${CMAKE_MATCH_1})
  file(READ ${CMAKE_MATCH_2} content)
  string(APPEND text "inline constexpr std::string_view k${name} = R\"perfgate(${content})perfgate\";\n")
endforeach()
string(APPEND text "}  // namespace perfgate\n")
file(WRITE ${OUT} "${text}")
