# SPDX-License-Identifier: Apache-2.0
function(tile2d_test name)
  add_test(NAME tile2d.${name} COMMAND ${ARGN})
  forerun_test_properties(tile2d.${name} tile2d)
endfunction()

set(here ${CMAKE_CURRENT_SOURCE_DIR})
foreach(ranks 1 2 4)
  tile2d_test(AgreesWithDirectConvolutionOn${ranks}Ranks
    ${here}/tests/direct ${MPIEXEC_EXECUTABLE} ${ranks} $<TARGET_FILE:tile2d>)
endforeach()
tile2d_test(WritesTheSameOnAnyNumberOfRanks ${here}/tests/same ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:tile2d>)
tile2d_test(EveryMistakeIsExplainedInOneLine
  ${here}/tests/mistakes ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:tile2d>)
