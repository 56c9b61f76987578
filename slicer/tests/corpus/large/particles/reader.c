/* SPDX-License-Identifier: Apache-2.0 */
#include "particles.h"

#include <stdlib.h>

/* Counted, so that every byte that is read passes here. */
static int readBytes(struct Reader *reader, uint64_t offset, void *buffer, uint64_t bytes) {
  if (bytes == 0)
    return 1;
  MPI_Status status;
  int got;
  if (MPI_File_read_at(reader->file, (MPI_Offset)offset, buffer, (int)bytes, MPI_BYTE, &status))
    return 0;
  MPI_Get_count(&status, MPI_BYTE, &got);
  reader->bytesRead += (uint64_t)got;
  return (uint64_t)got == bytes;
}

int openReader(struct Reader *reader, const char *path) {
  reader->bytesRead = 0;
  reader->domains = NULL;
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &reader->file))
    return 0;
  if (!readBytes(reader, 0, &reader->header, sizeof reader->header) ||
      reader->header.magic != kMagic)
    return 0;
  size_t bytes = reader->header.domains * sizeof *reader->domains;
  reader->domains = malloc(bytes);
  return reader->domains && readBytes(reader, reader->header.indexAt, reader->domains, bytes);
}

void closeReader(struct Reader *reader) {
  MPI_File_close(&reader->file);
  free(reader->domains);
}

int overlaps(const struct Domain *domain, const float *low, const float *high) {
  for (int d = 0; d < 3; d++)
    if (domain->high[d] <= low[d] || domain->low[d] >= high[d])
      return 0;
  return 1;
}

static int reserve(struct Particles *particles, uint32_t count) {
  if (count <= particles->room)
    return 1;
  freeParticles(particles);
  particles->positions = malloc(count * sizeof *particles->positions);
  particles->velocities = malloc(count * sizeof *particles->velocities);
  particles->numbers = malloc(count * sizeof *particles->numbers);
  if (!particles->positions || !particles->velocities || !particles->numbers)
    return 0;
  particles->room = count;
  return 1;
}

void freeParticles(struct Particles *particles) {
  free(particles->positions);
  free(particles->velocities);
  free(particles->numbers);
  *particles = (struct Particles){0};
}

int readDomain(struct Reader *reader, uint32_t number, unsigned wanted, struct Particles *into) {
  const struct Domain *domain = &reader->domains[number];
  if (number >= reader->header.domains || !reserve(into, domain->count))
    return 0;
  into->count = domain->count;
  struct {
    unsigned kind;
    void *target;
    size_t size;
  } arrays[] = {{WantPositions, into->positions, sizeof *into->positions},
                {WantVelocities, into->velocities, sizeof *into->velocities},
                {WantNumbers, into->numbers, sizeof *into->numbers}};
  uint64_t offset = domain->offset;
  for (int a = 0; a < 3; a++) {
    uint64_t bytes = domain->count * arrays[a].size;
    if ((wanted & arrays[a].kind) && !readBytes(reader, offset, arrays[a].target, bytes))
      return 0;
    offset += bytes;
  }
  return 1;
}
