// SPDX-License-Identifier: Apache-2.0
#include "measure/SiteReads.h"

#include <string_view>
#include <utility>

namespace forerun {
namespace {

/// Those of all units. Constructors prepend to the list, one after the other, before main begins.
constinit forerun_main_places *known = nullptr;

bool has(const CallPlace &place, std::string_view text) {
  return place.call.find(text) != std::string::npos;
}

} // namespace

CallPlace CallPlace::of(int site) {
  for (const forerun_main_places *unit = known; unit != nullptr; unit = unit->next)
    for (std::size_t n = 0; n < unit->count; ++n)
      if (const forerun_main_place &place = unit->places[n]; place.site == site)
        return {site, place.line, place.file, place.call};
  return {site, 0, "", ""};
}

thread_local SiteReads::Reads SiteReads::pending;

void SiteReads::know(forerun_main_places &places) {
  places.next = known;
  known = &places;
}

void SiteReads::callBegins() { pending.before += std::exchange(pending.lastCall, {}); }

void SiteReads::add(const ReadFigures &read) { pending.lastCall += read; }

void SiteReads::pass(int site) {
  const Reads reads = std::exchange(pending, {});
  if (reads.lastCall.allReads() + reads.before.allReads() == 0)
    return;
  const MutexLock lock(mutex_);
  Reads &all = bySite_[site];
  all.lastCall += reads.lastCall;
  all.before += reads.before;
}

std::map<CallPlace, ReadFigures> SiteReads::figures() const {
  const MutexLock lock(mutex_);
  std::map<CallPlace, ReadFigures> result;
  for (const auto &[site, reads] : bySite_) {
    const CallPlace place = CallPlace::of(site);
    const bool isOfMpiIo = has(place, "MPI_File_");
    if (isOfMpiIo && !has(place, "read"))
      continue;
    ReadFigures &figures = result[place];
    figures += reads.lastCall;
    if (!isOfMpiIo)
      figures += reads.before;
  }
  return result;
}

} // namespace forerun
