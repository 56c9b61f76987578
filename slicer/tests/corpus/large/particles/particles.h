/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARTICLES_H
#define PARTICLES_H

#include <mpi.h>
#include <stdint.h>

/* The file: header, index (one entry for each domain), then for each domain positions, velocities
 * and numbers, one array after the other. */

enum { kDomains = 10, kMagic = 0x50415254 };

struct FileHeader {
  uint32_t magic, domains;
  uint64_t particles, indexAt;
  double box;
};

struct Domain {
  uint64_t offset;
  uint32_t count;
  float low[3], high[3];
};

struct Particles {
  uint32_t count, room;
  float (*positions)[3];
  float (*velocities)[3];
  int64_t *numbers;
};

struct Reader {
  MPI_File file;
  struct FileHeader header;
  struct Domain *domains;
  uint64_t bytesRead;
};

enum Wanted { WantPositions = 1, WantVelocities = 2, WantNumbers = 4 };

/* make.c */
void makeParticleFile(const char *path);

/* reader.c */
int openReader(struct Reader *reader, const char *path);
void closeReader(struct Reader *reader);
int overlaps(const struct Domain *domain, const float *low, const float *high);
int readDomain(struct Reader *reader, uint32_t number, unsigned wanted, struct Particles *into);
void freeParticles(struct Particles *particles);

/* physics.c */
double kineticEnergy(const struct Particles *particles);
long histogram(const struct Particles *particles, double box, long *bins, int n);
long numberSum(const struct Particles *particles);

#endif
