// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <mpi.h>

/// \file
/// For test programs in which no MPI call may fail.

namespace forerun::test {

/// Reports on stderr which \p program failed at \p what, and ends all ranks.
inline void mustSucceed(int rc, const char *program, const char *what) {
  if (rc == MPI_SUCCESS)
    return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(rc, text.data(), &length);
  std::fprintf(stderr, "%s: %s: %s\n", program, what, text.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

} // namespace forerun::test
