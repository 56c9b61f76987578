// SPDX-License-Identifier: Apache-2.0
#include "files/PrefetchPointer.h"

namespace forerun {

void PrefetchPointer::follow(const OpenedFile &file) {
  if (generation == file.generation)
    return;
  *this = PrefetchPointer{};
  generation = file.generation;
  position = file.startByte;
}

void PrefetchPointer::setView(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  view.set(displacement, etype, filetype);
  position = 0;
  sharedPosition = 0;
  knownEnd = 0;
}

} // namespace forerun
