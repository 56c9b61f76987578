# SPDX-License-Identifier: Apache-2.0
# The small MPI of twins: one program prints the same with it and with MPICH.

add_executable(prefetch_twin_mpi_mpich tests/twinMpi.c)
target_link_libraries(prefetch_twin_mpi_mpich PRIVATE forerun_compile MPI::MPI_C)
add_executable(prefetch_twin_mpi tests/twinMpi.c ${twin_mpi_sources}
  ${CMAKE_CURRENT_BINARY_DIR}/twinmpi/mpi.c)
target_compile_definitions(prefetch_twin_mpi PRIVATE FORERUN_TWIN)
target_include_directories(prefetch_twin_mpi PRIVATE src twinmpi)
target_include_directories(prefetch_twin_mpi SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
target_link_libraries(prefetch_twin_mpi PRIVATE forerun_compile)
foreach(program prefetch_twin_mpi_mpich prefetch_twin_mpi)
  forerun_built_for_sanitizers(${program} "libprefetch;concurrent")
endforeach()
foreach(seed RANGE 1 4)
  set(name prefetch_RandomDatatypesAreWhatTheyAreInMpich_${seed})
  add_test(NAME ${name}
    COMMAND bash -c "diff <($<TARGET_FILE:prefetch_twin_mpi_mpich> ${seed} 300) <($<TARGET_FILE:prefetch_twin_mpi> ${seed} 300 || echo failed)")
  forerun_test_properties(${name} "libprefetch;concurrent")
endforeach()
