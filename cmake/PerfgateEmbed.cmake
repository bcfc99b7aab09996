# perfgate_embed(TARGET HEADER NAME=FILE...): gives the target's sources a header that has each file's text as a
# std::string_view kNAME, so that an installed program needs no file beside it.
function(perfgate_embed target header)
  set(out ${PROJECT_BINARY_DIR}/generated/${header})
  set(files ${ARGN})
  list(TRANSFORM files REPLACE "^[^=]+=" "" OUTPUT_VARIABLE paths)
  list(JOIN files "|" joined)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DFILES=${joined} -P ${PROJECT_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/write_embedded.cmake
    VERBATIM COMMENT "Embedding into ${header}")
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()
