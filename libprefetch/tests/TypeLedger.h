// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_TESTS_TYPELEDGER_H
#define FORERUN_TESTS_TYPELEDGER_H

/// \file
/// Stands between the program and MPI (PMPI): counts the datatypes that MPI_Type_get_contents_c
/// hands out and that are to be freed, less those given back to MPI_Type_free. The tests
/// themselves free through PMPI_Type_free.

namespace forerun::test {

long datatypesOwed();

} // namespace forerun::test

#endif
