# SPDX-License-Identifier: Apache-2.0
# The module for netCDF is tested by the programs of the corpus that read by it (slicer/tests/corpus/netcdf-*).

if(NOT TARGET forerun_netcdf)
  add_test(NAME prefetch_NetcdfIsNotThere COMMAND ${CMAKE_COMMAND} -E echo
    "skipped: ${forerun_netcdf_why_not}; scripts/netcdf builds one")
  forerun_test_properties(prefetch_NetcdfIsNotThere "libprefetch;netcdf")
  set_tests_properties(prefetch_NetcdfIsNotThere PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
endif()
