# The commit that perfgate itself is of, looked up at build time: at configure time it would be the commit of weeks ago.

add_custom_target(perfgate_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${PROJECT_BINARY_DIR}/generated/perfgate_commit.h
          -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/perfgate_commit.h
  COMMENT "Looking up perfgate's commit")
