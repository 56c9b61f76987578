# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs: C headers, the two shared libraries, forerun.pc, the CMake package
# with targets forerun::forerun and forerun::mpiio, the tools, and a module file. Manual pages: docs/man.
include(CMakePackageConfigHelpers)

set(forerun_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(forerun_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/forerun)

install(TARGETS forerun forerun_mpiio LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(module forerun_ucx forerun_twin_mpi forerun_hdf5 forerun_hdf5_curl forerun_netcdf forerun_pnetcdf) # which libforerun.so loads from its own folder
  if(TARGET ${module})
    install(TARGETS ${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    add_dependencies(demo ${module})
  endif()
endforeach()

install(FILES
  libcache/include/forerun/Rc.h
  libprefetch/include/forerun/door.h
  libprefetch/include/forerun/hdf5.h
  libprefetch/include/forerun/prefetch.h
  libprefetch/include/forerun/runtime.h
  libprefetch/include/forerun/standins.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/forerun)

foreach(tool forerun-cachesim forerun-testbed pbench pbench-pre pbench-hand pbench-replay)
  if(TARGET ${tool}) # without libfuse there is no test bed
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    add_dependencies(demo ${tool})
  endif()
endforeach()

# forerun.pc finds its prefix from its own location, so that an installed tree can be moved.
file(RELATIVE_PATH forerun_pc_to_prefix /${forerun_pkgconfig_dir} /)
configure_file(cmake/forerun.pc.in forerun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/forerun.pc DESTINATION ${forerun_pkgconfig_dir})

# So does the module file (Environment Modules).
set(forerun_modulefile_dir ${CMAKE_INSTALL_DATADIR}/modulefiles/forerun)
file(RELATIVE_PATH forerun_modulefile_to_prefix /${forerun_modulefile_dir} /)
configure_file(cmake/modulefile.in modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${forerun_modulefile_dir} RENAME ${PROJECT_VERSION})

configure_package_config_file(cmake/forerunConfig.cmake.in forerunConfig.cmake
  INSTALL_DESTINATION ${forerun_package_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(forerunConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/forerunConfig.cmake
  ${PROJECT_BINARY_DIR}/forerunConfigVersion.cmake
  DESTINATION ${forerun_package_dir})
