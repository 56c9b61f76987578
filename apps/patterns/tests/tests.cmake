# SPDX-License-Identifier: Apache-2.0
function(patterns_test name)
  add_test(NAME patterns.${name} COMMAND ${ARGN})
  forerun_test_properties(patterns.${name} patterns)
endfunction()

set(here ${CMAKE_CURRENT_SOURCE_DIR})
patterns_test(EveryMistakeIsExplainedInOneLine
  ${here}/tests/mistakes ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:patterns>)
if(TARGET forerun-slice)
  foreach(pattern datatypes topology statuses residual stride search branch clock)
    patterns_test(OfThePatternEachReadIsForeseenAheadOfTime_${pattern} ${here}/tests/foreseen
      ${CMAKE_BINARY_DIR} ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:patterns> ${pattern})
    set_tests_properties(patterns.OfThePatternEachReadIsForeseenAheadOfTime_${pattern} PROPERTIES
      LABELS "patterns;slicer" PROCESSORS 2)
  endforeach()
  patterns_test(TheScriptMeasuresEachAndLeavesNothingBehind
    ${here}/tests/script ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(patterns.TheScriptMeasuresEachAndLeavesNothingBehind PROPERTIES PROCESSORS 2)
endif()
