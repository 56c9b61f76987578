# SPDX-License-Identifier: Apache-2.0
# Tests of the courier and what it owns, of the door, the report and the trace.

list(APPEND parts OpenFiles ReadUnderWay DirtyRanges Window FirstLatency Throttle Lead LatencyHistogram Courier CourierThread ReadCosts
  ReadsAgain Report Check)

if(TARGET forerun_cache)
  forerun_gtest(prefetch_Door SOURCES tests/DoorTest.cpp tests/MpiEnvironment.cpp
    LIBRARIES forerun_prefetch LABELS libprefetch concurrent)
  # Messages to the user are part of the test.
  set_property(TEST prefetch_Door APPEND PROPERTY ENVIRONMENT FORERUN_DEBUG=1)

  # A program that uses the door as an MPI-IO would; what it reports is checked from outside.
  add_executable(prefetch_door_program tests/doorProgram.cpp)
  target_link_libraries(prefetch_door_program PRIVATE forerun_compile forerun_prefetch)
  foreach(check report_json report_screen report_sums report_unwritable trace trace_unwritable full names)
    add_test(NAME prefetch_${check}
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tests/checkReport.py ${check}
        ${MPIEXEC_EXECUTABLE} -n 2 $<TARGET_FILE:prefetch_door_program>)
    forerun_test_properties(prefetch_${check} libprefetch)
  endforeach()
  set_tests_properties(prefetch_full PROPERTIES SKIP_RETURN_CODE 77)
endif()
