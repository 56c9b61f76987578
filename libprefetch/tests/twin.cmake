# SPDX-License-Identifier: Apache-2.0
# What holds a twin of any library. (Sanitizers cannot be loaded a second time.)

add_library(prefetch_twin_library SHARED tests/twinLibrary.c)
set_target_properties(prefetch_twin_library PROPERTIES C_VISIBILITY_PRESET default)
target_link_libraries(prefetch_twin_library PRIVATE forerun_compile MPI::MPI_C)
add_library(prefetch_twin_module MODULE tests/twinModule.c)
add_library(prefetch_twin_on_top MODULE tests/twinOnTop.c)
target_link_libraries(prefetch_twin_module PRIVATE forerun_compile)
target_link_libraries(prefetch_twin_on_top PRIVATE forerun_compile prefetch_twin_library)
foreach(library prefetch_twin_module prefetch_twin_on_top)
  set_target_properties(${library} PROPERTIES C_VISIBILITY_PRESET default)
endforeach()
forerun_gtest(prefetch_Twin SOURCES tests/TwinTest.cpp LIBRARIES forerun_prefetch LABELS libprefetch)
target_link_libraries(prefetch_Twin PRIVATE prefetch_twin_library)
target_link_options(prefetch_Twin PRIVATE LINKER:--no-as-needed)
target_compile_definitions(prefetch_Twin PRIVATE TWIN_MODULE="$<TARGET_FILE:prefetch_twin_module>"
  TWIN_ON_TOP="$<TARGET_FILE:prefetch_twin_on_top>")
add_dependencies(prefetch_Twin forerun_twin_mpi prefetch_twin_module prefetch_twin_on_top)
