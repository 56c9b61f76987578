# SPDX-License-Identifier: Apache-2.0
# Views, datatypes, the table of handles, the prefetch calls.

set(random_types tests/MpiEnvironment.cpp tests/RandomTypes.cpp tests/TypeLedger.cpp)
# Against the patched MPI-IO: stock ROMIO flattens some datatypes wrongly.
forerun_gtest(prefetch_FileView SOURCES tests/FileViewTest.cpp ${random_types}
  LIBRARIES forerun_prefetch forerun_mpiio LABELS libprefetch)
forerun_gtest(prefetch_DataLayout SOURCES tests/DataLayoutTest.cpp ${random_types}
  LIBRARIES forerun_prefetch LABELS libprefetch)
forerun_gtest(prefetch_OwnTypes SOURCES tests/OwnTypesTest.cpp ${random_types}
  LIBRARIES forerun_prefetch LABELS libprefetch)
list(APPEND parts HandleTable Series SiteReads)
forerun_gtest(prefetch_PrefetchCall SOURCES tests/PrefetchCallTest.cpp tests/MpiEnvironment.cpp
  LIBRARIES forerun_prefetch LABELS libprefetch concurrent)
if(TARGET forerun_cache)
  forerun_gtest(prefetch_MpiFilePrefetch SOURCES tests/MpiFilePrefetchTest.cpp tests/MpiEnvironment.cpp
    LIBRARIES forerun_prefetch LABELS libprefetch concurrent)
endif()
