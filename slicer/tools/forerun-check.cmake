# SPDX-License-Identifier: Apache-2.0
# Like forerun-cc, forerun-check has two forms: one for the build tree and one to install. Each uses
# the forerun-cc in its own directory.
set(forerun_check_package ${CMAKE_INSTALL_LIBDIR}/forerun)

set(FORERUN_CHECK_MODULES ../${forerun_check_package})
set(FORERUN_CHECK_SLICER forerun-slice)
configure_file(forerun-check.in installed/forerun-check @ONLY)
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/installed/forerun-check TYPE BIN)
install(DIRECTORY forerun_check DESTINATION ${forerun_check_package} FILES_MATCHING PATTERN *.py)

set(FORERUN_CHECK_MODULES ${CMAKE_CURRENT_SOURCE_DIR})
set(FORERUN_CHECK_SLICER $<TARGET_FILE:forerun-slice>)
configure_file(forerun-check.in built/forerun-check @ONLY)
set(FORERUN_CHECK ${CMAKE_CURRENT_BINARY_DIR}/forerun-check)
file(GENERATE OUTPUT ${FORERUN_CHECK} INPUT ${CMAKE_CURRENT_BINARY_DIR}/built/forerun-check
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
