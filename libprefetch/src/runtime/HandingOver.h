// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Deferred.h"
#include "channels/Exchange.h"
#include "channels/ForwardedTypes.h"
#include "channels/Forwarding.h"
#include "channels/Groups.h"

/// \file
/// What main threads hand over to the pre-execution thread, and what that thread exchanges with
/// those of other processes. Each member says who may call it.

namespace forerun {

struct HandingOver {
  Forwarding values;
  Deferred deferred;
  ForwardedTypes types;
  Exchange exchange;
  Groups groups; ///< communicators that were handed over, and MPI's own
};

} // namespace forerun
