# perfgate_commit_of(FOLDER VARIABLE OUT): the commit that a folder's sources are of, with "-dirty" where they have changed since;
# "unknown" without a history. A copy without one is made by somebody who knows: the environment variable says it.
function(perfgate_commit_of folder variable out)
  set(commit unknown)
  find_program(git git)
  if(DEFINED ENV{${variable}})
    set(commit $ENV{${variable}})
  elseif(git)
    execute_process(COMMAND ${git} -C ${folder} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                    RESULT_VARIABLE code)
    if(code EQUAL 0)
      set(commit ${described})
    endif()
  endif()
  set(${out} ${commit} PARENT_SCOPE)
endfunction()
