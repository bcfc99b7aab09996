# One library a layer, so that the link lines are the architecture. Every header lies below src, so
# what a layer may include is held by cmake/check_layers.py.

add_library(perfgate_warnings INTERFACE)
target_compile_options(perfgate_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # GCC 12 sees overlaps in every "literal" + std::string (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${PERFGATE_WERROR}>:-Werror>>)

if(PERFGATE_SANITIZE)
  set(sanitize -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(perfgate_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitize}>)
  target_link_options(perfgate_warnings INTERFACE ${sanitize})
endif()

# perfgate_join_sources(TARGET SOURCE...): compiles the sources of a folder together, eight at a time, since most of a file's
# time goes into the headers that it shares with its neighbours. The preset "ci" compiles each source of src by itself.
function(perfgate_join_sources target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PERFGATE_JOIN_SOURCES} UNITY_BUILD_MODE GROUP)
  if(PERFGATE_JOIN_SOURCES)  # GCC takes the private types of a joined source for a header's
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(NOT DEFINED joined_${group})
      set(joined_${group} 0)
    endif()
    math(EXPR batch "${joined_${group}} / 8")
    math(EXPR joined_${group} "${joined_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}${batch})
  endforeach()
endfunction()

# perfgate_layer(NAME [OBJECT] [TIMED] HEADERS ... SOURCES ... LINKS ... [PRIVATE_LINKS ...])
# A source includes its own header first (check_layers.py holds it), and so compiles it alone. Headers
# without a source are a file set of their own: -DCMAKE_VERIFY_INTERFACE_HEADER_SETS=ON compiles each
# of them (target all_verify_interface_header_sets). OBJECT: all of it is linked, whoever calls it.
# TIMED: it runs within what is measured. Any other layer is compiled with -O1, which takes two thirds of the time.
function(perfgate_layer name)
  cmake_parse_arguments(ARG "OBJECT;TIMED" "" "HEADERS;SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  set(without_source ${ARG_HEADERS})
  foreach(source IN LISTS ARG_SOURCES)
    string(REGEX REPLACE "[.](cpp|cu)$" ".h" header ${source})
    list(REMOVE_ITEM without_source ${header})
  endforeach()
  set(with_source ${ARG_HEADERS})
  list(REMOVE_ITEM with_source ${without_source})
  set(type STATIC)
  if(ARG_OBJECT)
    set(type OBJECT)
  endif()
  add_library(perfgate_${name} ${type} ${ARG_SOURCES})
  perfgate_join_sources(perfgate_${name} ${ARG_SOURCES})
  target_compile_features(perfgate_${name} PUBLIC cxx_std_20)
  target_sources(perfgate_${name}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${with_source}
    PUBLIC FILE_SET without_source TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
           FILES ${without_source})
  set_target_properties(perfgate_${name} PROPERTIES
    EXPORT_NAME layer_${name} INTERFACE_HEADER_SETS_TO_VERIFY without_source)
  if(NOT ARG_TIMED)
    target_compile_options(perfgate_${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
  endif()
  # What no header shows PerfgateInstall.cmake installs as an archive: nobody has to find its package.
  list(TRANSFORM ARG_PRIVATE_LINKS REPLACE "^(fmt|pugixml)::.*" "$<BUILD_INTERFACE:\\0>;$<INSTALL_INTERFACE:perfgate::private_\\1>")
  target_link_libraries(perfgate_${name}
    PUBLIC ${ARG_LINKS} PRIVATE $<BUILD_INTERFACE:perfgate_warnings> ${ARG_PRIVATE_LINKS})
endfunction()

# What every <ATen/ops/...> reads, two seconds a file. The preset "ci" builds without it, so that a
# file includes what it uses.
function(perfgate_precompile_tensors target)
  target_precompile_headers(${target} PRIVATE <ATen/Context.h> <ATen/core/Tensor.h>)
  # Behind a precompiled header GCC 12 no longer hides its false warnings of system headers.
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:
      -Wno-array-bounds -Wno-stringop-overflow>)
endfunction()
