// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/door.h"

/// \file
/// The part of the door through which the patched MPI-IO tells what reads cost, for a report.

namespace forerun {

const forerun_costs &doorCosts();

} // namespace forerun
