# SPDX-License-Identifier: Apache-2.0
# What holds a twin of any library. (Sanitizers cannot be loaded a second time.)

add_library(prefetch_twin_library SHARED tests/twinLibrary.c)
set_target_properties(prefetch_twin_library PROPERTIES C_VISIBILITY_PRESET default)
target_link_libraries(prefetch_twin_library PRIVATE forerun_compile MPI::MPI_C)
forerun_gtest(prefetch_Twin SOURCES tests/TwinTest.cpp LIBRARIES forerun_prefetch LABELS libprefetch)
target_link_libraries(prefetch_Twin PRIVATE prefetch_twin_library)
target_link_options(prefetch_Twin PRIVATE LINKER:--no-as-needed)
add_dependencies(prefetch_Twin forerun_twin_mpi)
