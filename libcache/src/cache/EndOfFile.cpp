// SPDX-License-Identifier: Apache-2.0
#include "cache/EndOfFile.h"

namespace forerun {

bool EndOfFile::forget(CachedFile &file) {
  const std::uint64_t end = file.end();
  const bool cutsASector = end % kSectorBytes != 0;
  if (cutsASector) {
    const Geometry &geometry = table_.geometry();
    const ByteRange last{end - 1, end};
    const std::uint64_t index = geometry.pageOf(last.begin);
    if (Page *page = table_.find(file, index))
      table_.outdate(*page, geometry.touched(last, index));
  }
  file.setEnd(CachedFile::kUnknownEnd);
  return cutsASector;
}

bool EndOfFile::show(CachedFile &file, std::uint64_t upTo, bool bytesBefore, bool ended) {
  bool wake = false;
  if (bytesBefore && upTo > file.end())
    wake = forget(file);
  if (!ended || upTo >= file.end())
    return wake;
  wake = forget(file) || wake;
  if (!file.isVolatileBeyond(upTo))
    file.setEnd(upTo);
  return wake;
}

} // namespace forerun
