# SPDX-License-Identifier: Apache-2.0
# HDF5 may need libcurl, by which it reads files from S3: no twin does that, and libcurl needs some thirty further
# libraries. forerun_hdf5_curl is a library that a twin has in its place: it has libcurl's name (soname) and all its
# functions, which fail, since libraries on top of HDF5 may call other functions than HDF5 does. Its file is not called
# lib*.so, since ldconfig would take it for libcurl.
set(hdf5_library ${HDF5_LINK_LIBRARIES})
list(FILTER hdf5_library INCLUDE REGEX "/libhdf5[^/]*\\.so$")
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${hdf5_library} OUTPUT_VARIABLE dynamic ERROR_QUIET)
if(NOT dynamic MATCHES "NEEDED +(libcurl\\.so[^ \n]*)")
  return()
endif()
set(soname ${CMAKE_MATCH_1})
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${soname} OUTPUT_VARIABLE curl
  OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${CMAKE_OBJDUMP} -T ${curl} OUTPUT_VARIABLE symbols ERROR_QUIET)
string(REGEX MATCHALL "\\.text[^\n]* +[A-Z0-9_.]+ +curl_[a-z_0-9]+" symbols "${symbols}")
if(symbols STREQUAL "")
  return() # libcurl is missing, or its functions have no version: the twin then uses it as it is
endif()
list(GET symbols 0 first)
string(REGEX REPLACE "^.* ([A-Z0-9_.]+) +curl_[a-z_0-9]+$" "\\1" version "${first}")
list(TRANSFORM symbols REPLACE "^.* " "")
list(TRANSFORM symbols REPLACE "(.+)" "FAILS(\\1)")
list(JOIN symbols "\n" functions)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/hdf5-curl)
file(CONFIGURE OUTPUT ${folder}/curl.c CONTENT [[
#define FAILS(name) long name(void); long name(void) { return 0; }
@functions@
]] @ONLY)
file(CONFIGURE OUTPUT ${folder}/curl.map CONTENT "@version@ { curl_*; };\n" @ONLY)
add_library(forerun_hdf5_curl SHARED ${folder}/curl.c)
target_link_libraries(forerun_hdf5_curl PRIVATE forerun_compile)
set_target_properties(forerun_hdf5_curl PROPERTIES PREFIX "" NO_SONAME ON C_VISIBILITY_PRESET default
  LINK_DEPENDS ${folder}/curl.map)
target_link_options(forerun_hdf5_curl PRIVATE LINKER:-soname,${soname}
  LINKER:--version-script=${folder}/curl.map)
add_dependencies(forerun_hdf5 forerun_hdf5_curl)
