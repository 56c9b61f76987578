// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peers/PeerTransport.h"

#include <memory>

/// \file
/// Messages by UCX: TCP, or whatever faster network it finds (its own environment chooses:
/// UCX_TLS, UCX_NET_DEVICES). A worker of our own: MPI's progress and locks have no part in it. It
/// sleeps in the kernel while nothing comes.

namespace forerun {

/// For the rank \p self. Null: UCX cannot be used here.
std::unique_ptr<PeerTransport> makeUcxTransport(Rank self);

} // namespace forerun
