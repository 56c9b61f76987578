# SPDX-License-Identifier: Apache-2.0
# The modules for netCDF and PnetCDF are tested by the programs of the corpus that read by them
# (slicer/tests/corpus/netcdf-*, pnetcdf-*).

foreach(library netcdf pnetcdf)
  if(NOT TARGET forerun_${library})
    add_test(NAME prefetch_${library}IsNotThere COMMAND ${CMAKE_COMMAND} -E echo
      "skipped: ${library} for MPICH is not there: scripts/netcdf builds one")
    forerun_test_properties(prefetch_${library}IsNotThere "libprefetch;${library}")
    set_tests_properties(prefetch_${library}IsNotThere PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
  endif()
endforeach()
