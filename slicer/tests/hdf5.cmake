# SPDX-License-Identifier: Apache-2.0
# HDF5's own parallel tests and examples, and netCDF's, built by forerun-cc: hdf5/README.md. They use the library's private
# headers, which come with the source of Debian's release.
if(TARGET forerun_hdf5)
  set(list ${CMAKE_CURRENT_LIST_DIR}/hdf5/expected.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} programs REGEX "^testpar ")
  list(TRANSFORM programs REPLACE "^testpar +([^ ]+).*" "testpar_\\1")
  list(APPEND programs examples hl) # these take less time than most of the tests
  if(TARGET forerun_netcdf)
    list(APPEND programs nc_test4 nc_test h5_test nc_examples)
  endif()
  foreach(chosen ${programs})
    add_test(NAME hdf5_own.${chosen}.BehavesTheSameWhenSliced
      COMMAND ${CMAKE_CURRENT_LIST_DIR}/hdf5/check ${FORERUN_CC} ${FORERUN_DEPS}/hdf5 ${chosen})
    forerun_test_properties(hdf5_own.${chosen}.BehavesTheSameWhenSliced "slicer;suites;hdf5;exhaustive")
    set_tests_properties(hdf5_own.${chosen}.BehavesTheSameWhenSliced PROPERTIES TIMEOUT 1800)
  endforeach()
  forerun_long_tests(100 hdf5_own.testpar_t_shapesame.BehavesTheSameWhenSliced)
  if(TARGET forerun_netcdf)
    forerun_long_tests(200 hdf5_own.nc_test4.BehavesTheSameWhenSliced)
    forerun_long_tests(100 hdf5_own.h5_test.BehavesTheSameWhenSliced)
  endif()
endif()
