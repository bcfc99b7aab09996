# Writes OUT/perfgate_commit.h, and only when it changes: relinking on every build would be noise.

cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
find_program(git git)
if(DEFINED ENV{PERFGATE_COMMIT})  # a copy without history: whoever made it says of what
  set(commit $ENV{PERFGATE_COMMIT})
elseif(git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT}/perfgate_commit.h CONTENT
     "#pragma once\n#define PERFGATE_COMMIT \"@commit@\"\n" @ONLY)
