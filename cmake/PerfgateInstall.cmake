# cmake --install: libraries, headers and CMake files of perfgate::judge, perfgate::measure and perfgate::gtest_main, for
# find_package(perfgate). perfgate's own suite stays where its baselines are.

foreach(library IN ITEMS googletest nlohmann_json cli11 fmt pugixml)
  if(${library}_SOURCE_DIR)
    install(CODE "message(FATAL_ERROR \"perfgate cannot be installed: it was built with a ${library} that was fetched, and what links it \
has to find one. Install its package and configure anew, or have perfgate as a part of your project (FetchContent, add_subdirectory)\")")
    return()
  endif()
endforeach()

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(_perfgate_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/perfgate)

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
  install(FILES cmake/PerfgateGate.cmake cmake/PerfgateLibTorch.cmake cmake/PerfgateTorchFolders.cmake cmake/commit_of.cmake
                cmake/where_is_torch.py cmake/write_suite.cmake
    DESTINATION ${_perfgate_cmake})
  _perfgate_version_of(${PERFGATE_TORCH} PERFGATE_TORCH_VERSION PERFGATE_TORCH_COMMIT)
endif()

configure_package_config_file(cmake/perfgateConfig.cmake.in perfgateConfig.cmake INSTALL_DESTINATION ${_perfgate_cmake}
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(perfgateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perfgateConfig.cmake ${PROJECT_BINARY_DIR}/perfgateConfigVersion.cmake
  DESTINATION ${_perfgate_cmake})
