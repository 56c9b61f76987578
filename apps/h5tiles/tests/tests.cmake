# SPDX-License-Identifier: Apache-2.0
function(h5tiles_test name)
  add_test(NAME h5tiles.${name} COMMAND ${ARGN})
  forerun_test_properties(h5tiles.${name} h5tiles)
endfunction()

set(here ${CMAKE_CURRENT_SOURCE_DIR})
foreach(name Contiguous Chunked Compressed)
  string(TOLOWER ${name} layout)
  h5tiles_test(A${name}FieldIsWhatItsFormulaSaysOnAnyNumberOfRanks
    ${here}/tests/formula ${layout} ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:h5tiles>)
  if(TARGET nctiles)
    h5tiles_test(NetcdfReadsA${name}FieldThatIsWhatItsFormulaSays
      ${here}/tests/formula ${layout} ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:nctiles>)
  endif()
endforeach()
h5tiles_test(EveryMistakeIsExplainedInOneLine
  ${here}/tests/mistakes ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:h5tiles>)

if(TARGET h5tiles-pre)
  foreach(name Contiguous Chunked Compressed)
    string(TOLOWER ${name} layout)
    h5tiles_test(TheSliceForeseesEveryReadOfA${name}Field ${here}/tests/foreseen ${layout}
      ${CMAKE_BINARY_DIR}/slicer/tools/forerun-check ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:h5tiles-pre>)
    set_tests_properties(h5tiles.TheSliceForeseesEveryReadOfA${name}Field PROPERTIES
      LABELS "h5tiles;slicer;hdf5")
    if(TARGET nctiles-pre)
      h5tiles_test(TheSliceForeseesEveryReadThatNetcdfMakesOfA${name}Field ${here}/tests/foreseen ${layout}
        ${CMAKE_BINARY_DIR}/slicer/tools/forerun-check ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:nctiles-pre>)
      set_tests_properties(h5tiles.TheSliceForeseesEveryReadThatNetcdfMakesOfA${name}Field PROPERTIES
        LABELS "h5tiles;slicer;netcdf")
    endif()
  endforeach()
  h5tiles_test(ATwinIsLoadedOnlyWhereStorageIsSlow ${here}/tests/twin $<TARGET_FILE:forerun-testbed>
    ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:h5tiles-pre>)
  set_tests_properties(h5tiles.ATwinIsLoadedOnlyWhereStorageIsSlow PROPERTIES SKIP_RETURN_CODE 77)
  h5tiles_test(TheScriptMeasuresAndLeavesNothingBehind ${here}/tests/script ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
endif()
