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
# Headers belong to a file set, so that -DCMAKE_VERIFY_INTERFACE_HEADER_SETS=ON compiles each alone
# (target all_verify_interface_header_sets).
function(perfgate_layer name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(perfgate_${name} STATIC ${ARG_SOURCES})
  target_sources(perfgate_${name}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${ARG_HEADERS})
  target_link_libraries(perfgate_${name}
    PUBLIC ${ARG_LINKS} PRIVATE perfgate_warnings ${ARG_PRIVATE_LINKS})
endfunction()
