// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Intercepts MPI calls (PMPI): counts the datatypes that MPI_Type_get_contents_c returns and that
/// have to be freed, minus those passed to MPI_Type_free. The tests themselves free through
/// PMPI_Type_free.

namespace forerun::test {

long datatypesOwed();

} // namespace forerun::test
