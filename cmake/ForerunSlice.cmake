# SPDX-License-Identifier: Apache-2.0
# forerun_add_sliced(TARGET SOURCES a.c... [FLAGS -D... -I...] [LIBRARIES l...]): the program of these sources (in this
# folder or below; no two with the same name) with the pre-execution thread that the slicer makes for it. Does nothing where
# the slicer is not built.
function(forerun_add_sliced target)
  cmake_parse_arguments(ARG "" "" "SOURCES;FLAGS;LIBRARIES" ${ARGN})
  if(NOT TARGET forerun-slice OR NOT TARGET forerun_mpiio)
    return()
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.sliced)
  list(TRANSFORM ARG_SOURCES REPLACE "^.*/" "" OUTPUT_VARIABLE sliced)
  list(TRANSFORM sliced PREPEND ${directory}/)
  list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE mpi_flags)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  add_custom_command(OUTPUT ${sliced}
    COMMAND forerun-slice ${ARG_SOURCES} -o ${directory} -- -std=gnu11 ${mpi_flags} ${ARG_FLAGS} > ${directory}.txt
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    DEPENDS forerun-slice ${ARG_SOURCES} ${headers}
    COMMENT "Slicing ${target}" VERBATIM)
  add_executable(${target} ${sliced})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${ARG_FLAGS})
  # Ahead of libmpich, so that MPI-IO is the patched one, even if only a library calls it.
  target_link_libraries(${target} PRIVATE forerun_compile forerun forerun_mpiio MPI::MPI_C ${ARG_LIBRARIES})
endfunction()
