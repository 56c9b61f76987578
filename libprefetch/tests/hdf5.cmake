# SPDX-License-Identifier: Apache-2.0
# H5Dprefetch, on parallel HDF5, with a twin of it. If HDF5 is missing, one test says so.

if(NOT TARGET forerun_hdf5)
  add_test(NAME prefetch_Hdf5IsNotThere COMMAND ${CMAKE_COMMAND} -E echo
    "skipped: the tests of H5Dprefetch need HDF5 for MPICH (libhdf5-mpich-dev)")
  forerun_test_properties(prefetch_Hdf5IsNotThere "libprefetch;hdf5")
  set_tests_properties(prefetch_Hdf5IsNotThere PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
  return()
endif()

# The module is loaded when the program runs. HDF5 calls the MPI-IO, and the program itself does not.
function(prefetch_hdf5_program name source)
  add_executable(${name} ${source})
  target_include_directories(${name} SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
  target_link_options(${name} PRIVATE LINKER:--no-as-needed)
  target_link_libraries(${name} PRIVATE forerun_compile forerun_mpiio ${ARGN} PkgConfig::HDF5)
  add_dependencies(${name} forerun_hdf5 forerun_twin_mpi)
endfunction()
prefetch_hdf5_program(prefetch_hdf5_reads tests/hdf5Reads.cpp forerun_prefetch)
prefetch_hdf5_program(prefetch_hdf5_program tests/hdf5Program.c forerun)

function(prefetch_hdf5_coverage name layout reads transfer accuracy)
  add_test(NAME prefetch_EachReadIsForeseenOf${name}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/hdf5Coverage.py ${layout} ${reads} ${transfer} ${accuracy}
      ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:prefetch_hdf5_reads>)
  forerun_test_properties(prefetch_EachReadIsForeseenOf${name} "libprefetch;hdf5")
  set_tests_properties(prefetch_EachReadIsForeseenOf${name} PROPERTIES PROCESSORS 2)
endfunction()
prefetch_hdf5_coverage(BoxesOfAContiguousDataSet contiguous boxes independent 0.99)
prefetch_hdf5_coverage(BoxesOfAContiguousDataSetReadTogether contiguous boxes collective 0.99)
prefetch_hdf5_coverage(AWholeContiguousDataSet contiguous whole independent 0.99)
prefetch_hdf5_coverage(PointsOfAContiguousDataSet contiguous points independent 0.99)
prefetch_hdf5_coverage(BoxesOfAChunkedDataSet chunked boxes independent 0.99)
prefetch_hdf5_coverage(BoxesOfAChunkedDataSetReadTogether chunked boxes collective 0.99)
prefetch_hdf5_coverage(PointsOfAChunkedDataSet chunked points independent 0.99)
prefetch_hdf5_coverage(BoxesOfChunksThatHdf5DoesNotKeep large-chunks boxes independent 0.99)
prefetch_hdf5_coverage(BoxesOfASparseDataSet sparse boxes independent 0.99)
prefetch_hdf5_coverage(BoxesOfASparseDataSetOfLargeChunks sparse-large-chunks boxes independent 0.99)
prefetch_hdf5_coverage(BoxesOfADeflatedDataSet deflated boxes independent 0.95)
prefetch_hdf5_coverage(BoxesOfADeflatedDataSetReadTogether deflated boxes collective 0.95)
prefetch_hdf5_coverage(PointsOfADeflatedDataSet deflated points independent 0.95)
prefetch_hdf5_coverage(BoxesBehindAUserBlock behind-a-user-block boxes independent 0.99)
prefetch_hdf5_coverage(BoxesBehindALink behind-a-link boxes independent 0.99)

prefetch_hdf5_program(prefetch_hdf5_writes_for_all tests/hdf5WritesForAll.c forerun)
foreach(ranks 2 4)
  forerun_mpi_test(prefetch_WhatHdf5HasOneProcessWriteAllRead_${ranks} RANKS ${ranks}
    COMMAND $<TARGET_FILE:prefetch_hdf5_writes_for_all> ${CMAKE_CURRENT_BINARY_DIR}/for-all-${ranks}.h5
    LABELS "libprefetch;hdf5")
  set_property(TEST prefetch_WhatHdf5HasOneProcessWriteAllRead_${ranks} APPEND PROPERTY ENVIRONMENT
    FORERUN_CACHE=on)
endforeach()

# Whatever happens, the program prints and ends as without Forerun. The messages show that it did happen. `folder`:
# where libforerun.so, and so the module, is found; `mishap`: what its module does.
function(prefetch_hdf5_situation name situation says)
  cmake_parse_arguments(ARG "" "FOLDER;MISHAP" "" ${ARGN})
  set(test prefetch_hdf5_${name})
  add_test(NAME ${test}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/sameOutcome.py --says ${says} ${MPIEXEC_EXECUTABLE} -n 2
      $<TARGET_FILE:prefetch_hdf5_program> ${CMAKE_CURRENT_BINARY_DIR}/${name}.h5 ${situation})
  forerun_test_properties(${test} "libprefetch;hdf5")
  set_tests_properties(${test} PROPERTIES PROCESSORS 2)
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "FORERUN_TEST_SAYS=${says}")
  if(ARG_FOLDER)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "LD_LIBRARY_PATH=${ARG_FOLDER}")
  endif()
  if(ARG_MISHAP)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT FORERUN_TEST_MISHAP=${ARG_MISHAP})
  endif()
endfunction()

prefetch_hdf5_situation(a_twin_is_loaded chunked "has been loaded")
prefetch_hdf5_situation(compact compact "has been loaded")
prefetch_hdf5_situation(external external "has been loaded")
prefetch_hdf5_situation(virtual virtual "has been loaded")
prefetch_hdf5_situation(invalid_arguments nonsense "H5Dread would refuse its arguments")
prefetch_hdf5_situation(corrupt_file corrupt "cannot be told")
prefetch_hdf5_situation(file_open_to_write writable "the file is open to write")
prefetch_hdf5_situation(file_without_mpi_io serial "not opened by MPI-IO")
prefetch_hdf5_situation(no_namespace_left namespaces "no twin of")
prefetch_hdf5_situation(few_addresses_left addresses "leaves too little for a twin")
prefetch_hdf5_situation(handlers_stay_the_programs signals "has been loaded")
prefetch_hdf5_situation(main_thread_faults main-segv "has been loaded")

foreach(folder hdf5-without hdf5-mishap)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  foreach(library libforerun.so.0 forerun_twin_mpi.so)
    file(CREATE_LINK ${CMAKE_CURRENT_BINARY_DIR}/${library}
      ${CMAKE_CURRENT_BINARY_DIR}/${folder}/${library} SYMBOLIC)
  endforeach()
endforeach()
prefetch_hdf5_situation(module_not_found chunked "libforerun_hdf5.so is not there"
  FOLDER ${CMAKE_CURRENT_BINARY_DIR}/hdf5-without)

add_library(prefetch_hdf5_mishap MODULE tests/hdf5Mishap.c)
target_include_directories(prefetch_hdf5_mishap PRIVATE src)
target_link_libraries(prefetch_hdf5_mishap PRIVATE forerun_compile PkgConfig::HDF5)
target_link_options(prefetch_hdf5_mishap PRIVATE LINKER:--no-as-needed)
set_target_properties(prefetch_hdf5_mishap PROPERTIES OUTPUT_NAME forerun_hdf5
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/hdf5-mishap)
add_dependencies(prefetch_hdf5_program prefetch_hdf5_mishap)
function(prefetch_hdf5_mishap name situation kind says)
  prefetch_hdf5_situation(${name} ${situation} ${says} MISHAP ${kind}
    FOLDER ${CMAKE_CURRENT_BINARY_DIR}/hdf5-mishap)
endfunction()
prefetch_hdf5_mishap(twin_faults chunked segv "its twin has ended: a segmentation fault")
prefetch_hdf5_mishap(twin_aborts chunked abort "its twin has ended: abort")
prefetch_hdf5_mishap(twin_uses_up_its_stack chunked stack "its twin has ended: a segmentation fault")
prefetch_hdf5_mishap(twin_loops_for_ever chunked loop "the twin is entered")
prefetch_hdf5_mishap(more_reads_than_can_wait often loop "too many wait already")

# What a twin takes, as docs/hdf5.md says.
prefetch_hdf5_program(prefetch_twin_cost tests/twinCost.cpp forerun_prefetch)
set(netcdf_library)
if(TARGET forerun_netcdf)
  set(netcdf_library ${NETCDF_LINK_LIBRARIES})
  list(FILTER netcdf_library INCLUDE REGEX "/libnetcdf\\.so$")
  add_dependencies(prefetch_twin_cost forerun_netcdf)
endif()
add_test(NAME prefetch_ATwinOfHdf5IsSoonThereAndSmall COMMAND prefetch_twin_cost
  ${CMAKE_CURRENT_BINARY_DIR}/twin-cost.h5 ${netcdf_library})
forerun_test_properties(prefetch_ATwinOfHdf5IsSoonThereAndSmall "libprefetch;hdf5")

# The programs in docs/hdf5.md, as they are printed there. The one in Python names the library of Debian's package.
function(prefetch_hdf5_by_hand name language)
  add_test(NAME prefetch_ReadsAreAnnouncedByHandIn${name}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/hdf5ByHand/check ${language} ${PROJECT_SOURCE_DIR}/docs/hdf5.md
      ${MPIEXEC_EXECUTABLE} ${hdf5_library} $<TARGET_FILE:forerun_mpiio> $<TARGET_FILE:forerun> ${ARGN})
  forerun_test_properties(prefetch_ReadsAreAnnouncedByHandIn${name} "libprefetch;hdf5")
  set_tests_properties(prefetch_ReadsAreAnnouncedByHandIn${name} PROPERTIES PROCESSORS 2)
endfunction()
set(hdf5_library ${HDF5_LINK_LIBRARIES})
list(FILTER hdf5_library INCLUDE REGEX "/libhdf5\\.so$")
find_program(MPI_FORTRAN_COMPILER NAMES mpifort.mpich mpifort)
find_library(HDF5_FORTRAN_LIBRARY hdf5_fortran PATHS ${HDF5_LIBRARY_DIRS} NO_DEFAULT_PATH)
if(MPI_FORTRAN_COMPILER AND HDF5_FORTRAN_LIBRARY)
  list(TRANSFORM HDF5_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE hdf5_includes)
  prefetch_hdf5_by_hand(Fortran fortran ${MPI_FORTRAN_COMPILER} ${hdf5_includes} ${hdf5_library}
    ${HDF5_FORTRAN_LIBRARY})
else()
  add_test(NAME prefetch_FortranIsNotThere COMMAND ${CMAKE_COMMAND} -E echo
    "skipped: H5Dprefetch in Fortran needs mpifort of MPICH, and HDF5's Fortran library for it")
  forerun_test_properties(prefetch_FortranIsNotThere "libprefetch;hdf5")
  set_tests_properties(prefetch_FortranIsNotThere PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
endif()
if(HDF5_MODULE_NAME STREQUAL "hdf5-mpich")
  prefetch_hdf5_by_hand(Python python)
endif()
