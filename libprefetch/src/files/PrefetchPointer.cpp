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

void PrefetchPointer::setView(MPI_Offset from, MPI_Datatype unit, MPI_Datatype type) {
  view.set(from, unit, type);
  displacement = from;
  etype = unit;
  filetype = type;
  position = 0;
  sharedPosition = 0;
  knownEnd = 0;
}

} // namespace forerun
