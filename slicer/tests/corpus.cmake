# SPDX-License-Identifier: Apache-2.0
# Programs that a user could have written, checked by forerun-check: same behaviour, and the
# coverage and accuracy that corpus/expected.txt requires.
set(corpus ${CMAKE_CURRENT_LIST_DIR}/corpus)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${corpus}/expected.txt)

add_test(NAME corpus.EveryProgramIsListed COMMAND ${corpus}/unlisted)
forerun_test_properties(corpus.EveryProgramIsListed "slicer;corpus")

set(corpus_parts 8)
foreach(part RANGE 1 ${corpus_parts})
  add_test(NAME corpus.ProgramsAreValidByThemselves_${part}
    COMMAND ${corpus}/valid ${MPI_C_COMPILER} ${MPIEXEC_EXECUTABLE} --part ${part}/${corpus_parts})
  forerun_test_properties(corpus.ProgramsAreValidByThemselves_${part} "slicer;corpus;exhaustive")
  forerun_long_tests(30 corpus.ProgramsAreValidByThemselves_${part})
endforeach()

# With as many ranks as most machines have cores; separately with four, which mostly wait for cores.
file(STRINGS ${corpus}/expected.txt lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^ ]+) +[0-9.]+ +[0-9.]+ +([0-9,]+)" matched "${line}")
  set(name ${CMAKE_MATCH_1})
  set(all_ranks ${CMAKE_MATCH_2})
  string(REPLACE ",4" "" ranks ${all_ranks})
  string(REGEX MATCH "^(hdf5|netcdf|pnetcdf)-" library ${name})
  set(library ${CMAKE_MATCH_1})
  if(library AND NOT TARGET forerun_${library})
    continue() # prefetch_Hdf5IsNotThere and its like say so
  endif()
  if(name MATCHES "^hdf5-later-" AND HDF5_VERSION VERSION_LESS 1.14)
    continue() # it calls what that release has not
  endif()
  add_test(NAME corpus.${name} COMMAND ${corpus}/check ${FORERUN_CHECK} ${name} ${ranks})
  forerun_test_properties(corpus.${name} "slicer;corpus")
  if(library)
    set_tests_properties(corpus.${name} PROPERTIES LABELS "slicer;corpus;${library}"
      ENVIRONMENT "FORERUN_HDF5=${FORERUN_HDF5}")
  endif()
  if(NOT ranks STREQUAL all_ranks)
    add_test(NAME corpus.${name}.OnFourRanks COMMAND ${corpus}/check ${FORERUN_CHECK} ${name} 4)
    forerun_test_properties(corpus.${name}.OnFourRanks "slicer;corpus;exhaustive")
    set_property(TEST corpus.${name}.OnFourRanks APPEND PROPERTY ENVIRONMENT "FORERUN_HDF5=${FORERUN_HDF5}")
  endif()
endforeach()

# forerun-check itself, among fakes.
add_test(NAME forerun_check.TextsAreAlikeOrNot COMMAND ${CMAKE_CURRENT_LIST_DIR}/check/compare)
forerun_test_properties(forerun_check.TextsAreAlikeOrNot slicer)
add_test(NAME forerun_check.FiguresFromLogs COMMAND ${CMAKE_CURRENT_LIST_DIR}/check/logs)
forerun_test_properties(forerun_check.FiguresFromLogs slicer)
function(forerun_check_test name case)
  add_test(NAME forerun_check.${name}
    COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check/check ${FORERUN_CHECK} ${case})
  forerun_test_properties(forerun_check.${name} slicer)
endfunction()
forerun_check_test(SameBehaviourIsReportedWithItsFigures identical)
forerun_check_test(EndsQuietlyWhereNobodyReadsItsReport nobody_reads)
forerun_check_test(SaysThatTheProgramEndsBeforeMpiInit ends_before_mpi_init)
forerun_check_test(JsonTellsAll json_tells_all)
forerun_check_test(CoverageAndAccuracyCountBytesAsOftenAsBothHaveThem figures)
forerun_check_test(WhereThePreExecutionThreadIsHeldBackIsNamed held_back)
forerun_check_test(EveryDifferenceIsFoundAndNamed differences)
forerun_check_test(NondeterministicOutputIsIgnoredAndListed unsteady)
forerun_check_test(LinesThatTheUserDoesNotCareForAreIgnored ignored)
forerun_check_test(WhereNothingIsReadThereIsNoCoverage nothing_read)
forerun_check_test(LinesThatTheLauncherPutsTogetherAreAlike lines_of_ranks)
forerun_check_test(AProgramThatIsThereIsCheckedWhereItIs program_that_is_there)
forerun_check_test(EveryMistakeIsExplainedInOneLine mistakes)
forerun_check_test(ProgramsAreTimedInTurn timed)
forerun_check_test(EveryMistakeOfATimingIsExplainedInOneLine timing_mistakes)
forerun_check_test(ATimingJudgesOnlyWhatIsNoChance judgements)
forerun_check_test(AnInterruptedCheckLeavesNothing interrupted)
