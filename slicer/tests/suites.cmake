# SPDX-License-Identifier: Apache-2.0
# The programs of ROMIO's and MPICH's own suites, built by forerun-cc: suites/README.md.
foreach(suite romio mpich)
  set(test ProgramsOf_${suite}_BehaveTheSameWhenSliced)
  add_test(NAME ${test}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/suites/check ${FORERUN_CC} ${FORERUN_DEPS}/romio ${suite})
  forerun_test_properties(${test} "slicer;suites;exhaustive")
  set_tests_properties(${test} PROPERTIES PROCESSORS 2 TIMEOUT 600)
endforeach()
