// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/door.h"

#include <cstdint>

/// \file
/// The door's entries for the life of a file: its open and close, its hints and its view.

namespace forerun::entries {

forerun_handle *attach(const forerun_open_file *file, int *serves);
void detach(forerun_handle *h);
void setInfo(forerun_handle *h, MPI_Info users);
void getInfo(forerun_handle *h, MPI_Info used);
int meets(int amode, MPI_Info users);
std::uint64_t meet(MPI_Comm comm, int amode, MPI_Info users, int least);
void view(forerun_handle *h, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

} // namespace forerun::entries
