# SPDX-License-Identifier: Apache-2.0
# forerun_mpi_calls(TARGET FILE...): TARGET, a shared library of these objects and archives, is loaded into programs of any
# MPI, and is not linked against one: it finds MPI's functions in the process (libprefetch/src/mpi/MeetMpi.h).
find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(forerun_mpi_calls target)
  set(generator ${PROJECT_SOURCE_DIR}/libprefetch/generate-mpi-calls)
  set(calls ${CMAKE_CURRENT_BINARY_DIR}/${target}_mpi_calls.c)
  add_custom_command(OUTPUT ${calls}
    COMMAND ${Python3_EXECUTABLE} ${generator} ${CMAKE_NM} ${ARGN} > ${calls}
    DEPENDS ${generator} ${ARGN} COMMAND_EXPAND_LISTS VERBATIM)
  # The table of slots is shared with assembly.
  set_source_files_properties(${calls} PROPERTIES COMPILE_OPTIONS "-fno-lto;-fno-sanitize=all")
  target_sources(${target} PRIVATE ${calls})
  # What is linked as the interface of a part may name MPI: nothing of it is used.
  target_link_options(${target} PRIVATE LINKER:--as-needed)
endfunction()
