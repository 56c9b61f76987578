# SPDX-License-Identifier: Apache-2.0
find_package(GTest REQUIRED)
include(GoogleTest)

# Every test carries the label of its folder; add `concurrent` for what the sanitizer presets run.

# forerun_gtest(NAME SOURCES a.cpp... LIBRARIES l... LABELS x...): one GoogleTest program, one process.
function(forerun_gtest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE forerun_compile GTest::gmock GTest::gtest_main ${ARG_LIBRARIES})
  add_test(NAME ${name} COMMAND ${name})
  forerun_test_properties(${name} "${ARG_LABELS}")
endfunction()

# forerun_mpi_test(NAME RANKS n COMMAND program args... LABELS x...): a real mpiexec run.
function(forerun_mpi_test name)
  cmake_parse_arguments(ARG "" "RANKS" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name}
    COMMAND ${MPIEXEC_EXECUTABLE} -n ${ARG_RANKS} ${ARG_COMMAND})
  forerun_test_properties(${name} "${ARG_LABELS}")
  # Waiting ranks poll: ctest runs nothing beside a test that needs every core.
  set_tests_properties(${name} PROPERTIES PROCESSORS ${ARG_RANKS})
endfunction()

function(forerun_test_properties name labels)
  # UCX's hooks on madvise meet ThreadSanitizer in a thread that is ending: a crash.
  set(environment
    "UCX_MEM_MMAP_HOOK_MODE=none"
    "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/tsan.supp:second_deadlock_stack=1"
    "ASAN_OPTIONS=detect_leaks=0")
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 300
    ENVIRONMENT "${environment}")
endfunction()
