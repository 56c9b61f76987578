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
forerun_long_tests(20 tile2d.AgreesWithDirectConvolutionOn4Ranks)
tile2d_test(WritesTheSameOnAnyNumberOfRanks ${here}/tests/same ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:tile2d>)
tile2d_test(EveryMistakeIsExplainedInOneLine
  ${here}/tests/mistakes ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:tile2d>)
if(TARGET forerun-slice)
  # tile2d_foreseen(NAME [option...]): of what it reads with these options.
  function(tile2d_foreseen name)
    tile2d_test(${name} ${CMAKE_BINARY_DIR}/slicer/tools/forerun-check
      --min-coverage 0.99 --min-accuracy 0.99 "--cc-flags=-D_GNU_SOURCE -O2 -lfftw3 -lm"
      ${here}/convolution.c ${here}/images.c ${here}/options.c ${here}/tile2d.c
      -- --file in --out out --create --size 64 --tiles 19 ${ARGN})
    set_tests_properties(tile2d.${name} PROPERTIES LABELS "tile2d;slicer")
  endfunction()
  tile2d_foreseen(TheSliceForeseesEveryIndependentRead)
  tile2d_foreseen(TheSliceForeseesEveryCollectiveRead --collective)
  tile2d_test(TheScriptMeasuresAndLeavesNothingBehind ${here}/tests/script ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  if(FORERUN_PVFS2)
    forerun_pvfs2_test(tile2d.TheSliceWritesTheSameOnPvfs2 SERVERS 4
      COMMAND ${here}/tests/same-on-pvfs2 ${FORERUN_PVFS2} ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:tile2d-pre>)
  endif()
endif()
