# SPDX-License-Identifier: Apache-2.0
# How our own code is compiled: link `forerun_compile` to get the warnings, as errors.
# Sanitizers (-DFORERUN_SANITIZER=thread|address,undefined) apply to everything, MPI-IO included.

add_library(forerun_compile INTERFACE)
target_compile_options(forerun_compile INTERFACE -Wall -Wextra -Wshadow -Werror)

# A library's rooms are the folders of its sources. Those of one room are compiled as one text, since
# most of the time goes into headers; so no two files of a room may define the same name.
# -DFORERUN_UNITY=OFF compiles each file by itself.
option(FORERUN_UNITY "Compile the sources of a room as one text" ON)

# forerun_room_library(NAME DIRECTORY): the static library of all rooms of that folder.
function(forerun_room_library name directory)
  file(GLOB_RECURSE all_sources CONFIGURE_DEPENDS ${directory}/*.cpp)
  foreach(source ${all_sources})
    cmake_path(GET source PARENT_PATH room)
    file(RELATIVE_PATH room ${CMAKE_CURRENT_SOURCE_DIR}/${directory} ${room})
    string(REPLACE / _ room ${room})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
  add_library(${name} STATIC ${all_sources})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${FORERUN_UNITY} UNITY_BUILD_MODE GROUP)
  target_link_libraries(${name} PRIVATE forerun_compile)
endfunction()

set(FORERUN_SANITIZER "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")
if(FORERUN_SANITIZER)
  # Reports need only line numbers; more optimisation would double the compile time.
  add_compile_options(-fsanitize=${FORERUN_SANITIZER} -fno-omit-frame-pointer -O1 -g1)
  add_link_options(-fsanitize=${FORERUN_SANITIZER})
endif()
