# SPDX-License-Identifier: Apache-2.0
# Every test carries the label of its folder. Further labels: `concurrent` for what the sanitizer presets run;
# `exhaustive` for what only `scripts/test --all` and `ctest --preset all` run.

# forerun_gtest_program(NAME SOURCES a.cpp... LIBRARIES l...): a GoogleTest program. Tests are optimised less than what
# they test, and several files are compiled as one text: most of the time goes into GoogleTest's macros and headers.
function(forerun_gtest_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${FORERUN_UNITY} UNITY_BUILD_BATCH_SIZE 4)
  target_compile_options(${name} PRIVATE -O1 -g1)
  if(FORERUN_SANITIZER MATCHES undefined) # what is tested is checked; GoogleTest's macros take a minute a text
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
  target_link_libraries(${name} PRIVATE forerun_compile GTest::gmock GTest::gtest_main ${ARG_LIBRARIES})
endfunction()

# forerun_gtest(NAME SOURCES a.cpp... LIBRARIES l... LABELS x...): such a program, run in one process.
function(forerun_gtest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  forerun_gtest_program(${name} SOURCES ${ARG_SOURCES} LIBRARIES ${ARG_LIBRARIES})
  add_test(NAME ${name} COMMAND ${name})
  forerun_built_for_sanitizers(${name} "${ARG_LABELS}")
  forerun_test_properties(${name} "${ARG_LABELS}")
endfunction()

# forerun_gtest_files(PROGRAM PREFIX FILES tests/XTest.cpp... LABELS x...): a test PREFIX_X for each of these files of
# the program, which runs the suites that the file defines, in a process of its own.
function(forerun_gtest_files program prefix)
  cmake_parse_arguments(ARG "" "" "FILES;LABELS" ${ARGN})
  foreach(file ${ARG_FILES})
    file(STRINGS ${file} opened REGEX "^(TEST|TEST_F|TEST_P|TYPED_TEST)\\(")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    list(TRANSFORM opened REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+).*" "\\1.*:*/\\1.*:\\1/*")
    list(REMOVE_DUPLICATES opened)
    list(JOIN opened ":" filter)
    string(REGEX REPLACE "^.*/(.*)Test\\.cpp$" "\\1" name ${file})
    add_test(NAME ${prefix}_${name} COMMAND ${program} --gtest_filter=${filter})
    forerun_test_properties(${prefix}_${name} "${ARG_LABELS}")
  endforeach()
  forerun_built_for_sanitizers(${program} "${ARG_LABELS}")
endfunction()

# forerun_mpi_test(NAME RANKS n COMMAND program args... LABELS x...): a real mpiexec run.
function(forerun_mpi_test name)
  cmake_parse_arguments(ARG "" "RANKS" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name}
    COMMAND ${MPIEXEC_EXECUTABLE} -n ${ARG_RANKS} ${ARG_COMMAND})
  forerun_test_properties(${name} "${ARG_LABELS}")
  string(REGEX MATCH "TARGET_FILE:([^>]*)>" program "${ARG_COMMAND}")
  forerun_built_for_sanitizers(${CMAKE_MATCH_1} "${ARG_LABELS}")
  # Waiting ranks poll: ctest runs nothing at the same time as a test that needs every core.
  set_tests_properties(${name} PROPERTIES PROCESSORS ${ARG_RANKS})
endfunction()

# forerun_pvfs2_test(NAME SERVERS n COMMAND c...): a command with PVFS2 servers of its own.
function(forerun_pvfs2_test name)
  cmake_parse_arguments(ARG "" "SERVERS" "COMMAND" ${ARGN})
  add_test(NAME ${name}
    COMMAND ${CMAKE_SOURCE_DIR}/romio-patch/tests/with-pvfs2 ${FORERUN_PVFS2} ${ARG_SERVERS} ${ARG_COMMAND})
  forerun_test_properties(${name} pvfs2)
  set_tests_properties(${name} PROPERTIES PROCESSORS 2)
endfunction()

# What the sanitizer presets build: the programs of concurrent tests.
add_custom_target(concurrent)
function(forerun_built_for_sanitizers program labels)
  if("concurrent" IN_LIST labels)
    add_dependencies(concurrent ${program})
  endif()
endfunction()

# The longest tests start first, so that no long test runs alone at the end; later runs know the times.
function(forerun_long_tests seconds)
  set_tests_properties(${ARGN} PROPERTIES COST ${seconds})
endfunction()

function(forerun_test_properties name labels)
  # UCX's hooks on madvise crash under ThreadSanitizer in a thread that is ending.
  set(environment
    "UCX_MEM_MMAP_HOOK_MODE=none"
    "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/tsan.supp:second_deadlock_stack=1"
    "ASAN_OPTIONS=detect_leaks=0")
  # Ranks that wait leave the cores to others: tests/yield. Not where the interleaving of ranks is what is tested.
  if(NOT FORERUN_SANITIZER AND NOT "system" IN_LIST labels AND NOT "concurrent" IN_LIST labels)
    list(APPEND environment "LD_PRELOAD=$<TARGET_FILE:forerun_yield>")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 300
    ENVIRONMENT "${environment}")
endfunction()
