# SPDX-License-Identifier: Apache-2.0
# How the patched ROMIO is compiled: its sources by MPICH's own lists, third-party code without our warnings.

set(romio_root ${FORERUN_ROMIO}/src/mpi/romio)
set(mpiio_generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# What a Makefile.mk of ROMIO lists without a condition.
function(forerun_listed_sources makefile result)
  file(READ ${romio_root}/${makefile} text)
  string(REGEX MATCHALL "[a-zA-Z0-9_/]+\\.c" sources ${text})
  list(TRANSFORM sources PREPEND ${romio_root}/)
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# The MPI functions themselves, except those for requests (MPICH's serve), for error handlers (libmpich's), and what
# belongs to MPI_Comm_split_type.
file(GLOB romio_mpi_sources CONFIGURE_DEPENDS ${romio_root}/mpi-io/*.c)
list(FILTER romio_mpi_sources EXCLUDE REGEX "/(io[rtw][a-z0-9_]*|[gs]et_errh|mpich_fileutil|mpir_cst_filesys)\\.c$")
forerun_listed_sources(adio/common/Makefile.mk romio_common_sources)
# The driver is ours: driver/.
list(FILTER romio_common_sources EXCLUDE REGEX "/ad_forerun[a-z_]*\\.c$")
file(GLOB driver_sources CONFIGURE_DEPENDS driver/ad_forerun*.c)
file(GLOB romio_fs_sources CONFIGURE_DEPENDS
  ${romio_root}/adio/ad_ufs/*.c ${romio_root}/adio/ad_nfs/*.c ${romio_root}/adio/ad_testfs/*.c)

set(romio_definitions)
set(romio_options)
set(romio_libraries)
if(FORERUN_PVFS2)
  execute_process(COMMAND ${FORERUN_PVFS2}/bin/pvfs2-config --cflags
    OUTPUT_VARIABLE pvfs2_cflags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${FORERUN_PVFS2}/bin/pvfs2-config --libs
    OUTPUT_VARIABLE pvfs2_libs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(romio_options UNIX_COMMAND "${pvfs2_cflags}")
  separate_arguments(romio_libraries UNIX_COMMAND "${pvfs2_libs} -Wl,-rpath,${FORERUN_PVFS2}/lib")
  file(GLOB romio_pvfs2_sources CONFIGURE_DEPENDS ${romio_root}/adio/ad_pvfs2/*.c)
  list(APPEND romio_fs_sources ${romio_pvfs2_sources})
  list(APPEND driver_sources driver/ad_pvfs2_forerun.c)
  # What ROMIO's configure finds out. pvfs2-compat.h, which ROMIO includes, gives every version the calls of 2.6: a file is
  # created without a layout.
  list(APPEND romio_definitions ROMIO_PVFS2=1 HAVE_PVFS2_H=1 HAVE_PVFS2_CREATE_WITHOUT_LAYOUT=1)
endif()
include(CheckIncludeFile)
check_include_file(lustre/lustreapi.h FORERUN_HAVE_LUSTRE)
if(FORERUN_HAVE_LUSTRE)
  file(GLOB romio_lustre_sources CONFIGURE_DEPENDS ${romio_root}/adio/ad_lustre/*.c)
  list(APPEND romio_fs_sources ${romio_lustre_sources})
  list(APPEND romio_libraries lustreapi)
  list(APPEND romio_definitions ROMIO_LUSTRE=1)
endif()

foreach(directory ${MPI_C_INCLUDE_DIRS})
  if(EXISTS ${directory}/mpio.h)
    set(mpio_header ${directory}/mpio.h)
  endif()
endforeach()

set(dispatch ${CMAKE_CURRENT_SOURCE_DIR}/glue/dispatch.py)
add_custom_command(
  OUTPUT ${mpiio_generated}/romio_names.h ${mpiio_generated}/functions.c ${mpiio_generated}/entries.c
  COMMAND ${CMAKE_COMMAND} -E make_directory ${mpiio_generated}
  COMMAND ${Python3_EXECUTABLE} ${dispatch} names ${mpio_header} ${romio_mpi_sources} > ${mpiio_generated}/romio_names.h
  COMMAND ${Python3_EXECUTABLE} ${dispatch} functions ${mpio_header} ${romio_mpi_sources} > ${mpiio_generated}/functions.c
  COMMAND ${Python3_EXECUTABLE} ${dispatch} entries ${mpio_header} ${romio_mpi_sources} > ${mpiio_generated}/entries.c
  DEPENDS ${dispatch} ${romio_mpi_sources})

# ROMIO itself and the driver, compiled once. MPIO_BUILD_PROFILING gives its functions the names PMPI_*, and
# romio_names.h turns those into names that do not leave the library. Assertions stay in, as in the distribution's
# build.
set(romio_all_definitions ROMIO_INSIDE_MPICH HAVE_STATUS_SET_BYTES HAVE_ROMIOCONF_H MPIO_BUILD_PROFILING
  MPIO_Err_create_code=MPIR_Err_create_code ${romio_definitions})
set(romio_includes ${FORERUN_ROMIO}/include ${romio_root}/adio/include ${romio_root}/mpi-io ${romio_root}/mpl/include)
set(driver_includes ${CMAKE_CURRENT_SOURCE_DIR}/driver ${CMAKE_SOURCE_DIR}/libprefetch/include)
add_library(forerun_romio OBJECT ${romio_mpi_sources} ${romio_common_sources} ${romio_fs_sources}
  ${romio_root}/mpi-io/glue/mpich/mpio_file.c ${romio_root}/mpl/src/str/mpl_str.c ${mpiio_generated}/romio_names.h)
set_target_properties(forerun_romio PROPERTIES C_EXTENSIONS ON C_VISIBILITY_PRESET default
  EXPORT_COMPILE_COMMANDS OFF)
target_compile_definitions(forerun_romio PRIVATE ${romio_all_definitions})
# Messages of assertions name ROMIO's files, and not where they were when this was built.
target_compile_options(forerun_romio PRIVATE -w -UNDEBUG -fmacro-prefix-map=${FORERUN_ROMIO}/=
  -include ${mpiio_generated}/romio_names.h ${romio_options})
target_include_directories(forerun_romio PRIVATE ${romio_includes} ${driver_includes})
target_link_libraries(forerun_romio PRIVATE MPI::MPI_C)
add_library(forerun_driver OBJECT ${driver_sources} ${mpiio_generated}/romio_names.h)
set_target_properties(forerun_driver PROPERTIES C_VISIBILITY_PRESET default)
target_compile_definitions(forerun_driver PRIVATE _GNU_SOURCE ${romio_all_definitions})
target_compile_options(forerun_driver PRIVATE -include ${mpiio_generated}/romio_names.h ${romio_options})
target_include_directories(forerun_driver PRIVATE ${driver_includes})
target_include_directories(forerun_driver SYSTEM PRIVATE ${romio_includes} ${romio_root}/adio/ad_pvfs2)
target_link_libraries(forerun_driver PRIVATE forerun_compile MPI::MPI_C)

# forerun_add_mpiio(NAME [definitions...]): the library, with our glue.
function(forerun_add_mpiio name)
  add_library(${name}_glue OBJECT ${mpiio_generated}/entries.c ${mpiio_generated}/functions.c
    glue/contiguous.c glue/glue.c glue/version.c glue/watch.c)
  set(objects $<TARGET_OBJECTS:forerun_romio> $<TARGET_OBJECTS:forerun_driver> $<TARGET_OBJECTS:${name}_glue>)
  add_library(${name} SHARED ${objects})
  forerun_mpi_calls(${name} ${objects})
  # Only the version script determines what the library exports.
  set_target_properties(${name}_glue PROPERTIES C_VISIBILITY_PRESET default)
  target_compile_definitions(${name}_glue PRIVATE _GNU_SOURCE ROMIO_INSIDE_MPICH ${ARGN})
  target_include_directories(${name}_glue PRIVATE glue ${driver_includes})
  target_include_directories(${name}_glue SYSTEM PRIVATE ${FORERUN_ROMIO}/include ${romio_root}/adio/include
    ${romio_root}/mpl/include)
  target_link_libraries(${name}_glue PRIVATE forerun_compile forerun_meet_mpi MPI::MPI_C)
  target_link_libraries(${name} PRIVATE forerun_meet_mpi Threads::Threads ${romio_libraries} ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE
    -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/glue/exports.map)
  # Clang's sanitizers live in the program, not in the library.
  if(NOT FORERUN_SANITIZER OR CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()
