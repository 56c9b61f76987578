# SPDX-License-Identifier: Apache-2.0
function(pbench_test name)
  add_test(NAME pbench.${name} COMMAND ${ARGN})
  forerun_test_properties(pbench.${name} pbench)
endfunction()

set(here ${CMAKE_CURRENT_SOURCE_DIR})
set(programs $<TARGET_FILE_DIR:pbench>)
if(TARGET pbench-pre)
  foreach(ranks 1 2 4)
    pbench_test(AllProgramsComputeTheSameOn${ranks}Ranks
      ${here}/tests/checksums ${MPIEXEC_EXECUTABLE} ${ranks} ${programs})
  endforeach()
endif()
pbench_test(EveryMistakeIsExplainedInOneLine
  ${here}/tests/mistakes ${MPIEXEC_EXECUTABLE} ${programs})
pbench_test(TheProgramByHandIsMadeFromThePlainOne ${here}/by-hand --check)
if(TARGET pbench-pre)
  pbench_test(TheScriptWritesWhatItPromisesAndLeavesNothingBehind
    ${here}/tests/script ${CMAKE_BINARY_DIR})
  if(FUSE3_FOUND)
    pbench_test(WhatIsAnnouncedStaysInASharedCacheUntilItIsRead ${here}/tests/kept
      $<TARGET_FILE:forerun-testbed> ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:pbench> ${programs}/pbench-pre)
    set_tests_properties(pbench.WhatIsAnnouncedStaysInASharedCacheUntilItIsRead PROPERTIES
      SKIP_RETURN_CODE 77 PROCESSORS 2)
    pbench_test(AnInterruptedScriptLeavesNothingBehind ${here}/tests/interrupted ${CMAKE_BINARY_DIR})
  endif()
endif()
if(TARGET pbench-pre)
  forerun_long_tests(40 pbench.AllProgramsComputeTheSameOn4Ranks pbench.TheScriptWritesWhatItPromisesAndLeavesNothingBehind)
endif()
