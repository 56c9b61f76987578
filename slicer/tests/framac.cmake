# SPDX-License-Identifier: Apache-2.0
# The corpus, also sliced by Frama-C: framac/README.md.
list(GET MPI_C_INCLUDE_DIRS 0 mpi_include)
add_test(NAME FramaCKeepsNoLineOfTheCorpusThatIsDroppedWithoutAReason
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/framac/check ${FORERUN_DEPS}/frama-c/frama-c
    $<TARGET_FILE:forerun-slice> ${mpi_include})
forerun_test_properties(FramaCKeepsNoLineOfTheCorpusThatIsDroppedWithoutAReason "slicer;framac;exhaustive")
set_tests_properties(FramaCKeepsNoLineOfTheCorpusThatIsDroppedWithoutAReason
  PROPERTIES PROCESSORS 2 TIMEOUT 900)
forerun_long_tests(100 FramaCKeepsNoLineOfTheCorpusThatIsDroppedWithoutAReason)
