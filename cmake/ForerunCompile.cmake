# SPDX-License-Identifier: Apache-2.0
# How our own code is compiled: link `forerun_compile` to get the warnings, as errors.
# Sanitizers (-DFORERUN_SANITIZER=thread|address,undefined) apply to everything, MPI-IO included.

add_library(forerun_compile INTERFACE)
target_compile_options(forerun_compile INTERFACE -Wall -Wextra -Wshadow -Werror)

# Several files compiled as one text: most of the time goes into headers. -DFORERUN_UNITY=OFF
# compiles each by itself.
option(FORERUN_UNITY "Compile several files as one text" ON)

set(FORERUN_SANITIZER "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")
if(FORERUN_SANITIZER)
  add_compile_options(-fsanitize=${FORERUN_SANITIZER} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FORERUN_SANITIZER})
endif()
