// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_DOORCOSTS_H
#define FORERUN_DOORCOSTS_H

#include "forerun/door.h"

/// \file
/// The part of the door through which the patched MPI-IO tells what reads cost, for a report.

namespace forerun {

const forerun_costs &doorCosts();

} // namespace forerun

#endif
