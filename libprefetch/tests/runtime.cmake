# SPDX-License-Identifier: Apache-2.0
# Tests of the runtime: options, streams, progress, the pre-execution thread and what it owns.

list(APPEND parts Cores Launcher Options OutputFile SafeRead EventCount Stream Trail Progress Forwarding Deferred Arena Fence RandomStreams
  StandIns StreamStandIns Signals PreThread Predictor PredictorReplay MispredictionCost Predictions Entry LazyReads Clocks
  EndAnywhere)
set_property(SOURCE tests/PredictorReplayTest.cpp APPEND PROPERTY
  COMPILE_DEFINITIONS RECORDED_VALUES="${CMAKE_CURRENT_SOURCE_DIR}/tests/recordedValues.txt")

# Whole programs, under mpiexec: whatever happens to the pre-execution thread, what the program
# prints and how it ends stays the same. The messages of FORERUN_DEBUG show that it did happen.
if(TARGET forerun)
  foreach(program prefetch_mishaps prefetch_mishaps_less)
    add_executable(${program} tests/mishaps.c)
    target_link_libraries(${program} PRIVATE forerun_compile forerun)
  endforeach()
  target_sources(prefetch_mishaps_less PRIVATE tests/gives_less.c)

  function(prefetch_mishap name program kind says)
    add_test(NAME prefetch_mishap_${name}
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/sameOutcome.py --says ${says}
        --says-off "no pre-execution: FORERUN is 0"
        ${MPIEXEC_EXECUTABLE} -n 2 $<TARGET_FILE:${program}> ${kind})
    forerun_test_properties(prefetch_mishap_${name} libprefetch)
    set_property(TEST prefetch_mishap_${name} APPEND PROPERTY ENVIRONMENT FORERUN_WATCHDOG=1)
  endfunction()

  prefetch_mishap(segmentation_fault prefetch_mishaps segv "has ended: a segmentation fault")
  prefetch_mishap(stack_overflow prefetch_mishaps stack "has ended: a segmentation fault")
  prefetch_mishap(arithmetic_error prefetch_mishaps fpe "has ended: an arithmetic error")
  prefetch_mishap(illegal_instruction prefetch_mishaps ill "has ended: an illegal instruction")
  prefetch_mishap(abort prefetch_mishaps abort "has ended: abort")
  prefetch_mishap(exit prefetch_mishaps exit "has ended: exit")
  prefetch_mishap(exit_with_underscore prefetch_mishaps _exit "has ended: _exit")
  prefetch_mishap(mpi_abort prefetch_mishaps mpi-abort "has ended: MPI_Abort")
  prefetch_mishap(endless_loop prefetch_mishaps loop "has ended: the watchdog")
  prefetch_mishap(waits_for_ever prefetch_mishaps wait "has ended: MPI_Finalize")
  prefetch_mishap(finalize_behind_a_profiler prefetch_mishaps profiler "has ended: MPI_Finalize")
  prefetch_mishap(second_launch prefetch_mishaps second "a second launch is ignored")
  prefetch_mishap(launch_before_init prefetch_mishaps early "asked for before MPI_Init")
  prefetch_mishap(main_thread_faults prefetch_mishaps main-segv "has started")
  prefetch_mishap(main_thread_handles_its_fault prefetch_mishaps main-handler "has started")
  prefetch_mishap(main_thread_leaves_without_finalize prefetch_mishaps main-exit "has started")
  prefetch_mishap(mpi_gives_less prefetch_mishaps_less segv "has ended: a segmentation fault")

  # Pre-execution threads that exchange messages: see the comment at the program's beginning.
  add_executable(prefetch_exchange tests/exchange.c tests/exchange_calls.c)
  target_link_libraries(prefetch_exchange PRIVATE forerun_compile forerun)
  add_executable(prefetch_exchange_less tests/exchange.c tests/exchange_calls.c tests/gives_less.c)
  target_link_libraries(prefetch_exchange_less PRIVATE forerun_compile forerun)
  foreach(ranks 1 2 3 4)
    forerun_mpi_test(prefetch_Exchange_less_${ranks} RANKS ${ranks}
      COMMAND $<TARGET_FILE:prefetch_exchange_less> less LABELS libprefetch concurrent)
    foreach(kind ahead skewed alone)
      forerun_mpi_test(prefetch_Exchange_${kind}_${ranks} RANKS ${ranks}
        COMMAND $<TARGET_FILE:prefetch_exchange> ${kind} LABELS libprefetch concurrent)
    endforeach()
    forerun_mpi_test(prefetch_Exchange_off_${ranks} RANKS ${ranks}
      COMMAND $<TARGET_FILE:prefetch_exchange> off
        : -n 1 -env FORERUN 0 $<TARGET_FILE:prefetch_exchange> off
      LABELS libprefetch concurrent)
  endforeach()

  # More than exchange directly.
  forerun_mpi_test(prefetch_Exchange_skewed_9 RANKS 9
    COMMAND $<TARGET_FILE:prefetch_exchange> skewed LABELS libprefetch)

  add_executable(prefetch_topology tests/topology.c)
  target_link_libraries(prefetch_topology PRIVATE forerun_compile forerun)
  foreach(ranks 1 2 4 6)
    forerun_mpi_test(prefetch_Topology_${ranks} RANKS ${ranks}
      COMMAND $<TARGET_FILE:prefetch_topology> LABELS libprefetch concurrent)
  endforeach()

  add_executable(prefetch_unstoppable tests/unstoppableAtFinalize.cpp)
  target_link_libraries(prefetch_unstoppable PRIVATE forerun_compile forerun_prefetch)
  forerun_mpi_test(prefetch_FinalizeMeetsAThreadInsideMpi RANKS 2
    COMMAND $<TARGET_FILE:prefetch_unstoppable> LABELS libprefetch)

  add_executable(prefetch_never_ends tests/neverEndsAtFinalize.cpp)
  target_link_libraries(prefetch_never_ends PRIVATE forerun_compile forerun_prefetch)
  foreach(how computes sleeps calls)
    forerun_mpi_test(prefetch_FinalizeDoesNotWaitForAThreadThat_${how}_WhereItCannotBeEnded RANKS 2
      COMMAND $<TARGET_FILE:prefetch_never_ends> ${how} LABELS libprefetch)
  endforeach()

  add_executable(prefetch_finalize_ends_threads tests/finalizeEndsThreads.c)
  target_link_libraries(prefetch_finalize_ends_threads PRIVATE forerun_compile forerun_mpiio forerun)
  foreach(engine auto threads)
    foreach(by MPI PMPI)
      set(name prefetch_FinalizeEndsTheThreadsOf_${engine}_by_${by})
      forerun_mpi_test(${name} RANKS 2
        COMMAND $<TARGET_FILE:prefetch_finalize_ends_threads> ${CMAKE_CURRENT_BINARY_DIR}/finalize.${engine}.${by} ${by}
        LABELS libprefetch)
      set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT FORERUN_IO_ENGINE=${engine})
    endforeach()
  endforeach()

  add_executable(prefetch_thread_levels tests/threadLevels.c)
  target_link_libraries(prefetch_thread_levels PRIVATE forerun_compile forerun)
  # The thread levels that are asked for and reported.
  foreach(levels none:0 0:0 1:1 2:2 3:3)
    string(REPLACE ":" ";" arguments ${levels})
    list(GET arguments 0 asked)
    forerun_mpi_test(prefetch_AProgramIsToldTheThreadsThatItAskedFor_${asked} RANKS 2
      COMMAND $<TARGET_FILE:prefetch_thread_levels> ${arguments} LABELS libprefetch)
    forerun_mpi_test(prefetch_AProgramWhoseSliceCallsNoMpiHasTheThreadsThatItAskedFor_${asked} RANKS 2
      COMMAND $<TARGET_FILE:prefetch_thread_levels> ${arguments} without LABELS libprefetch)
  endforeach()
  forerun_mpi_test(prefetch_AProgramIsToldTheThreadsThatMpichGivesByDefault RANKS 2
    COMMAND $<TARGET_FILE:prefetch_thread_levels> none 2 LABELS libprefetch)
  set_property(TEST prefetch_AProgramIsToldTheThreadsThatMpichGivesByDefault APPEND PROPERTY ENVIRONMENT
    MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_SERIALIZED)

  add_executable(prefetch_abort_status tests/abortStatus.c)
  target_link_libraries(prefetch_abort_status PRIVATE forerun_compile forerun)
  # The launcher says 1 once in some hundred runs, as sameOutcome.py knows.
  add_test(NAME prefetch_WhoAbortsHasTheStatusThatItGave
    COMMAND sh -c "for i in 1 2 3; do ${MPIEXEC_EXECUTABLE} -n 1 $<TARGET_FILE:prefetch_abort_status>; status=$?
      [ $status = 1 ] || break
    done
    test $status = 7")
  forerun_test_properties(prefetch_WhoAbortsHasTheStatusThatItGave libprefetch)

  add_executable(prefetch_wrote_together tests/wroteTogether.c)
  target_link_libraries(prefetch_wrote_together PRIVATE forerun_compile forerun_mpiio forerun)
  forerun_mpi_test(prefetch_ACollectiveWriteIsSeen RANKS 3
    COMMAND $<TARGET_FILE:prefetch_wrote_together> ${CMAKE_CURRENT_BINARY_DIR}/together.data
    LABELS libprefetch)
  forerun_mpi_test(prefetch_ACollectiveWriteIsSeenWithoutAnExchange RANKS 3
    COMMAND $<TARGET_FILE:prefetch_wrote_together> ${CMAKE_CURRENT_BINARY_DIR}/apart.data romio_cb_write disable
    LABELS libprefetch)
  set_property(TEST prefetch_ACollectiveWriteIsSeen
    prefetch_ACollectiveWriteIsSeenWithoutAnExchange
    APPEND PROPERTY ENVIRONMENT FORERUN_CACHE=on)

  add_executable(prefetch_bad_memory tests/badMemory.c)
  target_link_libraries(prefetch_bad_memory PRIVATE forerun_compile forerun_mpiio forerun)
  add_test(NAME prefetch_ReadsIntoBadMemoryReturnWhatTheyDoWithoutForerun
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/badMemory ${MPIEXEC_EXECUTABLE}
      $<TARGET_FILE:prefetch_bad_memory> ${CMAKE_CURRENT_BINARY_DIR}/bad.data)
  forerun_test_properties(prefetch_ReadsIntoBadMemoryReturnWhatTheyDoWithoutForerun "libprefetch;concurrent")
  forerun_built_for_sanitizers(prefetch_bad_memory "libprefetch;concurrent")

  # The time in reads, as a report has it.
  add_executable(prefetch_read_costs tests/readCosts.c)
  target_link_libraries(prefetch_read_costs PRIVATE forerun_compile forerun_mpiio forerun)
  add_executable(prefetch_read_costs_unpatched tests/readCosts.c)
  target_link_libraries(prefetch_read_costs_unpatched PRIVATE forerun_compile forerun)
  foreach(ranks 1 3)
    foreach(check with off unpatched)
      set(program prefetch_read_costs)
      if(check STREQUAL "unpatched")
        set(program prefetch_read_costs_unpatched)
      endif()
      add_test(NAME prefetch_TimeInReads_${check}_${ranks}
        COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/checkReadCosts.py ${check}
          ${MPIEXEC_EXECUTABLE} -n ${ranks} $<TARGET_FILE:${program}>)
      forerun_test_properties(prefetch_TimeInReads_${check}_${ranks} "libprefetch;concurrent")
    endforeach()
  endforeach()
  forerun_built_for_sanitizers(prefetch_read_costs "libprefetch;concurrent")
  forerun_built_for_sanitizers(prefetch_read_costs_unpatched "libprefetch;concurrent")

  add_executable(prefetch_forked_child tests/forkedChild.c)
  target_link_libraries(prefetch_forked_child PRIVATE forerun_compile forerun_mpiio forerun)
  forerun_mpi_test(prefetch_AForkedChildReadsAsWithoutForerun RANKS 2
    COMMAND $<TARGET_FILE:prefetch_forked_child> ${CMAKE_CURRENT_BINARY_DIR}/forked.data
    LABELS libprefetch)
  set_property(TEST prefetch_AForkedChildReadsAsWithoutForerun APPEND PROPERTY ENVIRONMENT FORERUN_CACHE=on)

  add_executable(prefetch_file_queries tests/fileQueries.c)
  target_link_libraries(prefetch_file_queries PRIVATE forerun_compile forerun_mpiio forerun)
  forerun_mpi_test(prefetch_PositionsAreWhatMpiIoSays RANKS 1
    COMMAND $<TARGET_FILE:prefetch_file_queries> ${CMAKE_CURRENT_BINARY_DIR}/queries.data
    LABELS libprefetch concurrent)

  # What MPI_File_get_info reports, through the patched MPI-IO.
  add_executable(prefetch_hints_in_force tests/hintsInForce.c)
  target_link_libraries(prefetch_hints_in_force PRIVATE forerun_compile forerun_mpiio forerun)
  forerun_mpi_test(prefetch_ReportedHintsAreInForce RANKS 2
    COMMAND $<TARGET_FILE:prefetch_hints_in_force> ${CMAKE_CURRENT_BINARY_DIR}/hints.data
    LABELS libprefetch)
  set_property(TEST prefetch_ReportedHintsAreInForce APPEND PROPERTY ENVIRONMENT FORERUN_DEBUG=1)
endif()

add_executable(prefetch_options_table tests/optionsTable.cpp)
target_link_libraries(prefetch_options_table PRIVATE forerun_compile forerun_prefetch)
add_test(NAME prefetch_TheReferenceIsTheTableOfOptions
  COMMAND prefetch_options_table ${CMAKE_SOURCE_DIR}/docs/options.md)
forerun_test_properties(prefetch_TheReferenceIsTheTableOfOptions libprefetch)
