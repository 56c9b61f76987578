// SPDX-License-Identifier: Apache-2.0
#include "thread/PreFiles.h"

#include <algorithm>

namespace forerun {

PreFile &PreFiles::open(const OpenedFile &opened) {
  PreFile *file = find(opened.file);
  if (file == nullptr)
    file = files_.emplace_back(std::make_unique<PreFile>()).get();
  file->opened = opened;
  file->pointer = {};
  file->pointer.generation = opened.generation;
  file->pointer.position = opened.startByte;
  return *file;
}

PreFile *PreFiles::find(MPI_File file) const {
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [&](const auto &each) { return each->opened.file == file; });
  return found == files_.end() ? nullptr : found->get();
}

} // namespace forerun
