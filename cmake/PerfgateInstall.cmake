# cmake --install: libraries, headers and CMake files of perfgate::judge, perfgate::measure and perfgate::gtest_main, for
# find_package(perfgate). perfgate's own suite stays where its baselines are.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(_perfgate_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/perfgate)

# What perfgate's archives need behind them and its headers do not show: an archive of its own beside them, so that nobody has to
# find the package that it came from; of a shared library where it lies. (A googletest and nlohmann_json that were fetched
# install themselves.)
set(_perfgate_private "")
foreach(library IN ITEMS fmt pugixml)
  set(_perfgate_target ${library}::${library})
  get_target_property(_perfgate_type ${_perfgate_target} TYPE)
  while(_perfgate_type STREQUAL INTERFACE_LIBRARY)  # as pugixml's, which links the one that was built
    get_target_property(_perfgate_target ${_perfgate_target} INTERFACE_LINK_LIBRARIES)
    list(GET _perfgate_target 0 _perfgate_target)
    get_target_property(_perfgate_type ${_perfgate_target} TYPE)
  endwhile()
  set(_perfgate_location $<TARGET_FILE:${_perfgate_target}>)
  if(NOT _perfgate_type STREQUAL SHARED_LIBRARY)
    install(FILES ${_perfgate_location} DESTINATION ${CMAKE_INSTALL_LIBDIR}/perfgate)
    set(_perfgate_location "\${_perfgate_archives}/$<TARGET_FILE_NAME:${_perfgate_target}>")
  endif()
  string(APPEND _perfgate_private "_perfgate_private_library(perfgate::private_${library} \"${_perfgate_location}\")\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/private/$<CONFIG>/perfgatePrivate.cmake CONTENT "${_perfgate_private}")
install(FILES ${PROJECT_BINARY_DIR}/private/$<CONFIG>/perfgatePrivate.cmake DESTINATION ${_perfgate_cmake})

# perfgate_install(SET TARGET...): with the headers of those that have any.
function(perfgate_install set)
  foreach(target IN LISTS ARGN)
    set(headers "")
    get_target_property(header_sets ${target} INTERFACE_HEADER_SETS)
    foreach(header_set IN LISTS header_sets)
      list(APPEND headers FILE_SET ${header_set} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    endforeach()
    install(TARGETS ${target} EXPORT perfgate${set}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${headers})
  endforeach()
  install(EXPORT perfgate${set} NAMESPACE perfgate:: FILE perfgate${set}.cmake DESTINATION ${_perfgate_cmake})
endfunction()

# With the gate alone what installs a googletest that was fetched would not be built.
if(PERFGATE_MEASURE AND googletest_SOURCE_DIR)
  add_dependencies(perfgate_gtest gtest_main gmock gmock_main)
endif()

perfgate_install(Judge perfgate_core perfgate_model perfgate_stats perfgate_baseline perfgate_gate perfgate_report perfgate_judge)
if(PERFGATE_MEASURE)
  set(_perfgate_measuring perfgate_device perfgate_process perfgate_run perfgate_measure perfgate_workloads perfgate_backends
      perfgate_worker perfgate_gtest perfgate_gtest_main perfgate_measuring)
  if(PERFGATE_CUDA)
    list(APPEND _perfgate_measuring perfgate_tensor_core)
  endif()
  if(PERFGATE_LIBTORCH_CUDA)
    list(APPEND _perfgate_measuring perfgate_timing)
  endif()
  perfgate_install(Measure ${_perfgate_measuring})
  file(GLOB _perfgate_exporter ${PROJECT_SOURCE_DIR}/src/perfgate/packages/*.py)
  install(FILES ${_perfgate_exporter} DESTINATION ${CMAKE_INSTALL_DATADIR}/perfgate/packages)
  install(PROGRAMS ctest/export.py DESTINATION ${CMAKE_INSTALL_DATADIR}/perfgate/ctest)
  install(FILES cmake/PerfgateGate.cmake cmake/PerfgateLibTorch.cmake cmake/PerfgateTorchFolders.cmake cmake/commit_of.cmake
                cmake/where_is_torch.py cmake/write_suite.cmake
    DESTINATION ${_perfgate_cmake})
  _perfgate_version_of(${PERFGATE_TORCH} PERFGATE_TORCH_VERSION PERFGATE_TORCH_COMMIT)
endif()

configure_package_config_file(cmake/perfgateConfig.cmake.in perfgateConfig.cmake INSTALL_DESTINATION ${_perfgate_cmake}
  PATH_VARS CMAKE_INSTALL_DATADIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(perfgateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perfgateConfig.cmake ${PROJECT_BINARY_DIR}/perfgateConfigVersion.cmake
  DESTINATION ${_perfgate_cmake})
