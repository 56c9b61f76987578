# SPDX-License-Identifier: Apache-2.0
# What `cpack` makes of the preset `package`: a Debian package of what ForerunInstall.cmake installs. See scripts/package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME forerun)
set(CPACK_PACKAGE_CONTACT "The authors of Forerun")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "hides the I/O latency of MPI programs by pre-execution")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION [[
Forerun has a second thread of an MPI program run ahead of it, which computes
what the program will read next and has that fetched into a cache, from which
MPI-IO then serves the reads. forerun-cc, in the place of mpicc, slices that
thread out of a C program, whose source stays as it is.]])
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fuse3) # forerun-testbed needs it to mount its storage
set(CPACK_DEBIAN_PACKAGE_SUGGESTS python3-matplotlib) # forerun-plot-timeline draws with it
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/ForerunDepends.cmake)

# The patched MPI-IO serves one version of MPICH, whatever Debian's revision of it is (romio-patch/glue/version.c).
execute_process(COMMAND dpkg-query --show --showformat=\${source:Upstream-Version} libmpich-dev
  OUTPUT_VARIABLE mpich ERROR_QUIET)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "mpich (>= ${mpich}), mpich (<< ${mpich}.~), \
libmpich-dev (>= ${mpich}), libmpich-dev (<< ${mpich}.~), libclang-common-19-dev, binutils, python3")

# The documents, in the folders of the source tree: so their links lead to each other. tests/install holds that each
# link has what it leads to.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
  PATTERN *.md PATTERN *.png PATTERN *.svg PATTERN *.c PATTERN package.py PATTERN forerun.def PATTERN man EXCLUDE)
file(GLOB_RECURSE readmes RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  libprefetch/README.md romio-patch/README.md slicer/README.md)
foreach(document README.md CHANGELOG.md CONTRIBUTING.md LICENSE pbench/pbench.c ${readmes})
  get_filename_component(folder ${document} DIRECTORY)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
# ROMIO's, of which the patched MPI-IO is made.
install(FILES /usr/share/doc/libmpich12/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}
  RENAME copyright.mpich OPTIONAL)
include(CPack)
