# One library a layer, so that the link lines are the architecture. Every header lies below src, so
# what a layer may include is held by cmake/check_layers.py.

add_library(perfgate_warnings INTERFACE)
target_compile_options(perfgate_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # GCC 12 sees overlaps in every "literal" + std::string (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${PERFGATE_WERROR}>:-Werror>>)

if(PERFGATE_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(perfgate_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitize}>)
  target_link_options(perfgate_warnings INTERFACE ${sanitize})
endif()

# perfgate_layer(NAME HEADERS ... SOURCES ... LINKS ... [PRIVATE_LINKS ...])
# A source includes its own header first (check_layers.py holds it), and so compiles it alone. Headers
# without a source are a file set of their own: -DCMAKE_VERIFY_INTERFACE_HEADER_SETS=ON compiles each
# of them (target all_verify_interface_header_sets).
function(perfgate_layer name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  set(without_source ${ARG_HEADERS})
  foreach(source IN LISTS ARG_SOURCES)
    string(REGEX REPLACE "[.](cpp|cu)$" ".h" header ${source})
    list(REMOVE_ITEM without_source ${header})
  endforeach()
  set(with_source ${ARG_HEADERS})
  list(REMOVE_ITEM with_source ${without_source})
  add_library(perfgate_${name} STATIC ${ARG_SOURCES})
  target_sources(perfgate_${name}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${with_source}
    PUBLIC FILE_SET without_source TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
           FILES ${without_source})
  set_target_properties(perfgate_${name} PROPERTIES
    INTERFACE_HEADER_SETS_TO_VERIFY without_source)
  target_link_libraries(perfgate_${name}
    PUBLIC ${ARG_LINKS} PRIVATE perfgate_warnings ${ARG_PRIVATE_LINKS})
endfunction()
