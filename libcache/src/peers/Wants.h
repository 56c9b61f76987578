// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "fetch/FetchRequest.h"
#include "peers/Peer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

/// \file
/// What a PeerEngine's service is to bring: each request is a want, of whose sectors some come from
/// other nodes and others, in parts, from the storage.
/// Threads: only the service.

namespace forerun {

struct Want {
  /// A run of sectors that is fetched from the storage.
  struct Part {
    FetchRequest request;
    Sectors sectors = 0;
  };

  FetchRequest *request = nullptr;
  unsigned first = 0;   ///< sector of the page, the request's first
  Sectors left = 0;     ///< have neither come nor failed
  Sectors came = 0;     ///< lie in the buffer
  std::size_t good = 0; ///< number of bytes without a gap before them, when all has come
  forerun_rc rc = FORERUN_OK;
  bool urgent = false;
  std::vector<std::unique_ptr<Part>> parts;

  std::size_t offsetOf(unsigned sector) const { return std::size_t{sector - first} * kSectorBytes; }
  std::byte *at(unsigned sector) const {
    return static_cast<std::byte *>(request->buffer) + offsetOf(sector);
  }
  /// A part for this run, to be requested from the storage.
  std::unique_ptr<Part> partOf(WantNumber number, SectorRange run) const;
  /// One of its parts is done, and no longer one. Returns its sectors.
  Sectors partDone(FetchRequest &part, const Geometry &geometry);
  /// These sectors come from another node.
  void take(Sectors sectors, const std::byte *from);
};

class Wants {
public:
  bool empty() const { return wants_.empty(); }
  bool has(WantNumber number) const { return wants_.contains(number); }
  Want &at(WantNumber number) { return *wants_.at(number); }
  const Want &at(WantNumber number) const { return *wants_.at(number); }
  /// For all of \p request. It may throw std::bad_alloc, and then may have been added.
  const Want &add(FetchRequest &request, const Geometry &geometry);
  void remove(WantNumber number);
  /// \p step may remove it.
  void forEach(const std::function<void(WantNumber, Want &)> &step);

  /// Of \p sectors of \p page, as new as \p epoch, those that lie in buffers.
  Sectors inBuffers(const PeerPage &page, std::uint32_t epoch, Sectors sectors) const;
  /// Where one of these lies.
  const std::byte *inBuffer(const PeerPage &page, std::uint32_t epoch, unsigned sector) const;

private:
  std::unordered_map<WantNumber, std::unique_ptr<Want>> wants_;
  std::unordered_multimap<PeerPage, WantNumber, PeerPageHash> byPage_;
};

} // namespace forerun
