// SPDX-License-Identifier: Apache-2.0
#include "peers/Wants.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace forerun {

std::unique_ptr<Want::Part> Want::partOf(WantNumber number, SectorRange run) const {
  auto part = std::make_unique<Part>();
  FetchRequest &of = part->request;
  const std::size_t offset = offsetOf(run.first);
  of.file = request->file;
  of.offset = request->offset + offset;
  of.length = std::min(std::size_t{run.last - run.first} * kSectorBytes, request->length - offset);
  of.buffer = at(run.first);
  of.kind = urgent ? FetchKind::Demand : request->kind;
  of.sequence = request->sequence;
  of.peerPage = request->peerPage;
  of.want = number;
  of.isPart = true;
  part->sectors = bitsOf(run);
  return part;
}

Sectors Want::partDone(FetchRequest &part, const Geometry &geometry) {
  const auto own =
      std::ranges::find_if(parts, [&](const auto &each) { return &each->request == &part; });
  const Sectors sectors = (*own)->sectors;
  if (part.rc != FORERUN_OK && rc == FORERUN_OK)
    rc = part.rc;
  if (part.rc != FORERUN_OK || part.bytes < part.length)
    good = std::min(good, static_cast<std::size_t>(part.offset - request->offset) + part.bytes);
  if (part.rc == FORERUN_OK)
    came |=
        bitsOf(geometry.inside({part.offset, part.offset + part.bytes}, request->peerPage.index));
  request->inFlight = std::max(request->inFlight, part.inFlight);
  left &= ~sectors;
  parts.erase(own);
  return sectors;
}

void Want::take(Sectors sectors, const std::byte *from) {
  // Populates a frame's memory at once, not by a fault for every 4 KiB that is copied. Advice: what
  // the kernel does not do now, it does then.
  if (came == 0)
    (void)madvise(request->buffer, request->length, MADV_POPULATE_WRITE);
  for (Sectors rest = sectors; rest != 0; rest &= rest - 1) {
    const auto sector = static_cast<unsigned>(std::countr_zero(rest));
    const std::size_t length = std::min(kSectorBytes, request->length - offsetOf(sector));
    std::memcpy(at(sector), from, length);
    from += kSectorBytes;
    request->peerBytes += length;
  }
  left &= ~sectors;
  came |= sectors;
}

const Want &Wants::add(FetchRequest &request, const Geometry &geometry) {
  const ByteRange range{request.offset, request.offset + request.length};
  const SectorRange sectors = geometry.touched(range, request.peerPage.index);
  auto want = std::make_unique<Want>();
  want->request = &request;
  want->first = sectors.first;
  want->left = bitsOf(sectors);
  want->good = request.length;
  want->urgent = request.kind == FetchKind::Demand;
  const Want &made = *wants_.emplace(request.want, std::move(want)).first->second;
  byPage_.emplace(request.peerPage, request.want);
  return made;
}

void Wants::remove(WantNumber number) {
  const auto found = wants_.find(number);
  const auto [first, last] = byPage_.equal_range(found->second->request->peerPage);
  const auto inPage =
      std::find_if(first, last, [&](const auto &each) { return each.second == number; });
  if (inPage != last) // there may have been no memory for it
    byPage_.erase(inPage);
  wants_.erase(found);
}

void Wants::forEach(const std::function<void(WantNumber, Want &)> &step) {
  for (auto next = wants_.begin(); next != wants_.end();) {
    const auto each = next++;
    step(each->first, *each->second);
  }
}

Sectors Wants::inBuffers(const PeerPage &page, std::uint32_t epoch, Sectors sectors) const {
  Sectors here = 0;
  const auto [first, last] = byPage_.equal_range(page);
  for (auto each = first; each != last; ++each)
    if (const Want &want = at(each->second); want.request->peerEpoch >= epoch)
      here |= want.came & sectors;
  return here;
}

const std::byte *Wants::inBuffer(const PeerPage &page, std::uint32_t epoch, unsigned sector) const {
  const auto [first, last] = byPage_.equal_range(page);
  const auto found = std::find_if(first, last, [&](const auto &each) {
    const Want &want = at(each.second);
    return want.request->peerEpoch >= epoch && (want.came >> sector & 1) != 0;
  });
  return at(found->second).at(sector);
}

} // namespace forerun
