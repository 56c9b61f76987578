# SPDX-License-Identifier: Apache-2.0
# Random programs behave the same when they are sliced: fuzz/README.md.
# fuzz_test(NAME FIRST seed PROGRAMS n [LABELS l...])
function(fuzz_test name)
  cmake_parse_arguments(ARG "" "FIRST;PROGRAMS" "LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fuzz/fuzz ${FORERUN_CC}
    --first ${ARG_FIRST} --programs ${ARG_PROGRAMS} --foresee 0.9 --keep ${CMAKE_CURRENT_BINARY_DIR}/${name}
    --mpicc ${MPI_C_COMPILER} --mpiexec ${MPIEXEC_EXECUTABLE})
  forerun_test_properties(${name} "slicer;${ARG_LABELS}")
  set_tests_properties(${name} PROPERTIES PROCESSORS 2)
endfunction()

add_test(NAME TheFuzzerFindsWhatIsWrong
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/fuzz/check ${MPI_C_COMPILER} ${MPIEXEC_EXECUTABLE})
forerun_test_properties(TheFuzzerFindsWhatIsWrong slicer)
fuzz_test(TwentyRandomProgramsBehaveTheSameWhenSliced FIRST 1 PROGRAMS 20)
forerun_long_tests(40 TwentyRandomProgramsBehaveTheSameWhenSliced)
fuzz_test(FiveHundredRandomProgramsBehaveTheSameWhenSliced FIRST 1001 PROGRAMS 500 LABELS exhaustive)
set_tests_properties(FiveHundredRandomProgramsBehaveTheSameWhenSliced PROPERTIES TIMEOUT 5400)
forerun_long_tests(600 FiveHundredRandomProgramsBehaveTheSameWhenSliced)
