# SPDX-License-Identifier: Apache-2.0
# The HDF5 whose twin is driven: 1.10 (from 1.10.7 on), 1.12 or 1.14, for MPICH, as a shared library.
# Gives the target PkgConfig::HDF5, HDF5_VERSION and HDF5_INCLUDE_DIRS; `forerun_hdf5_why_not` is empty, or says why
# there is none.
set(FORERUN_HDF5 "" CACHE PATH "Where HDF5 is installed; default: the one that pkg-config finds")
if(FORERUN_HDF5)
  set(ENV{PKG_CONFIG_PATH} "${FORERUN_HDF5}/lib/pkgconfig")
  set(modules hdf5)
else()
  set(modules hdf5-mpich hdf5) # Debian's name, and HDF5's own
endif()
unset(__pkg_config_checked_HDF5 CACHE) # searched each time: the folder may be another one now
pkg_search_module(HDF5 QUIET IMPORTED_TARGET GLOBAL ${modules})

function(forerun_fits_hdf5 result)
  set(${result} "HDF5 for MPICH is not there" PARENT_SCOPE)
  if(NOT HDF5_FOUND)
    return()
  endif()
  # pkg-config knows neither whether it is parallel nor for which MPI.
  find_file(header H5pubconf.h PATHS ${HDF5_INCLUDE_DIRS} NO_CACHE NO_DEFAULT_PATH)
  list(FILTER HDF5_LINK_LIBRARIES INCLUDE REGEX "/libhdf5[^/]*\\.so$")
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${HDF5_LINK_LIBRARIES}
    OUTPUT_VARIABLE dynamic ERROR_QUIET)
  file(STRINGS ${header} parallel REGEX "define H5_HAVE_PARALLEL 1")
  string(FIND "${dynamic}" "${mpi_soname}" needed)
  if(NOT parallel OR needed EQUAL -1)
    set(${result} "HDF5 ${HDF5_VERSION} (${HDF5_MODULE_NAME}) is no shared library for this MPICH" PARENT_SCOPE)
  elseif(HDF5_VERSION VERSION_LESS 1.10.7 OR NOT HDF5_VERSION VERSION_LESS 1.15)
    set(${result} "HDF5 ${HDF5_VERSION} (${HDF5_MODULE_NAME}) is none of 1.10.7 to 1.14" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()
forerun_fits_hdf5(forerun_hdf5_why_not)
