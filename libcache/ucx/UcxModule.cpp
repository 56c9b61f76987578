// SPDX-License-Identifier: Apache-2.0
#include "UcxTransport.h"
#include "peers/LoadedPeers.h"

extern "C" [[gnu::visibility("default")]] forerun::PeerTransport *
forerun_make_transport(forerun::Rank self) {
  return forerun::makeUcxTransport(self).release();
}

static_assert(std::is_same_v<decltype(forerun_make_transport), forerun::MakeTransport>);
