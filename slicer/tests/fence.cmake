# SPDX-License-Identifier: Apache-2.0
# Programs whose pointers are hard to follow: fence/README.md.
set(fence ${CMAKE_CURRENT_LIST_DIR}/fence)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fence}/expected.txt)
file(STRINGS ${fence}/expected.txt lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^ ]+) +([0-9.]+)" matched "${line}")
  set(name ${CMAKE_MATCH_1})
  foreach(kind "" .Sanitized)
    set(flags -O2)
    if(kind)
      set(flags "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all")
    endif()
    add_test(NAME fence.${name}${kind}
      COMMAND ${FORERUN_CHECK} --ranks 2 --min-coverage ${CMAKE_MATCH_2} "--cc-flags=${flags}" ${fence}/${name}.c)
    forerun_test_properties(fence.${name}${kind} slicer)
  endforeach()
  set_property(TEST fence.${name}.Sanitized APPEND PROPERTY LABELS exhaustive)
  set_property(TEST fence.${name}.Sanitized APPEND PROPERTY ENVIRONMENT LD_PRELOAD=) # the sanitizer comes first
endforeach()
