# SPDX-License-Identifier: Apache-2.0
# The netCDF whose twin is driven, on top of that of HDF5 (ForerunHdf5.cmake): 4.9 on that HDF5, the user's own
# (PKG_CONFIG_PATH) or what scripts/netcdf has built. Gives the target PkgConfig::NETCDF, NETCDF_VERSION and
# NETCDF_INCLUDEDIR; `forerun_netcdf_why_not` is empty, or says why there is none.
set(ENV{PKG_CONFIG_PATH} "$ENV{PKG_CONFIG_PATH}:${CMAKE_SOURCE_DIR}/.deps/netcdf/lib/pkgconfig")
unset(__pkg_config_checked_NETCDF CACHE) # searched each time: scripts/netcdf may have built it meanwhile
pkg_check_modules(NETCDF QUIET IMPORTED_TARGET GLOBAL netcdf>=4.9)

function(forerun_needed_by result)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${ARGN} OUTPUT_VARIABLE dynamic ERROR_QUIET)
  string(REGEX MATCHALL "(NEEDED|SONAME) +libhdf5[^ \n]*" names "${dynamic}")
  list(TRANSFORM names REPLACE "^[A-Z]+ +" "")
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(forerun_fits_netcdf result)
  set(${result} "netCDF for MPICH is not there" PARENT_SCOPE)
  if(NOT NETCDF_FOUND)
    return()
  endif()
  list(FILTER HDF5_LINK_LIBRARIES INCLUDE REGEX "/libhdf5[^/]*\\.so$")
  list(FILTER NETCDF_LINK_LIBRARIES INCLUDE REGEX "/libnetcdf[^/]*\\.so$")
  forerun_needed_by(hdf5 ${HDF5_LINK_LIBRARIES})
  forerun_needed_by(below ${NETCDF_LINK_LIBRARIES})
  find_file(header netcdf_meta.h PATHS ${NETCDF_INCLUDEDIR} NO_CACHE NO_DEFAULT_PATH)
  file(STRINGS ${header} parallel REGEX "NC_HAS_PARALLEL4 +1")
  if(NOT parallel)
    set(${result} "netCDF ${NETCDF_VERSION} has no parallel I/O" PARENT_SCOPE)
  elseif(NOT hdf5 IN_LIST below)
    set(${result} "netCDF ${NETCDF_VERSION} is on top of another HDF5 (${below}) than ${hdf5}" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()
if(TARGET forerun_hdf5)
  forerun_fits_netcdf(forerun_netcdf_why_not)
else()
  set(forerun_netcdf_why_not "HDF5 for MPICH is not there")
endif()
