# SPDX-License-Identifier: Apache-2.0
# Run by cpack when the package's files are in place: adds the packages of the libraries that these need. Libraries
# that only programs using them load (HDF5, netCDF, PnetCDF) are not counted: such a program brings the library.
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/usr/bin/* ${CPACK_TEMPORARY_DIRECTORY}/usr/lib/*.so*)
set(counted)
foreach(file ${files})
  file(READ ${file} magic LIMIT 4 HEX)
  if(magic STREQUAL 7f454c46 AND NOT IS_SYMLINK ${file} AND NOT file MATCHES "forerun_(hdf5|netcdf|pnetcdf|twin_mpi)")
    list(APPEND counted ${file})
  endif()
endforeach()
# dpkg-shlibdeps has to run in the directory of a source package, and to be told where the package's own libraries
# are.
set(source ${CPACK_TOPLEVEL_DIRECTORY}/depends)
file(WRITE ${source}/debian/control "Source: forerun\n\nPackage: forerun\nArchitecture: any\n")
file(GLOB_RECURSE own ${CPACK_TEMPORARY_DIRECTORY}/usr/lib/*libforerun.so)
cmake_path(GET own PARENT_PATH own)
execute_process(COMMAND dpkg-shlibdeps -O -xforerun --ignore-missing-info -l${own} ${counted}
  WORKING_DIRECTORY ${source} OUTPUT_VARIABLE found ERROR_VARIABLE messages RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "dpkg-shlibdeps failed: ${messages}")
endif()
string(REGEX REPLACE "^shlibs:Depends=|\n" "" found "${found}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CPACK_DEBIAN_PACKAGE_DEPENDS}, ${found}")
