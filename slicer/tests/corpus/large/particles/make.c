/* SPDX-License-Identifier: Apache-2.0 */
#include "particles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 2246822519u;
  x ^= x >> 13;
  return x;
}

static uint32_t countOf(uint32_t domain) { return 20 + mixed(domain + 5) % 30; }

static void putDomain(FILE *out, const struct Domain *domain, uint32_t number) {
  float three[3];
  for (int kind = 0; kind < 2; kind++) /* positions, velocities */
    for (uint32_t p = 0; p < domain->count; p++) {
      for (int d = 0; d < 3; d++) {
        float unit = (float)(mixed(number * 1000 + p * 8 + (uint32_t)(d + 4 * kind)) % 1024) / 1024;
        three[d] = kind ? unit - 0.5f : domain->low[d] + unit * (domain->high[d] - domain->low[d]);
      }
      fwrite(three, sizeof three, 1, out);
    }
  for (uint32_t p = 0; p < domain->count; p++) {
    int64_t name = (int64_t)number * 10000 + p;
    fwrite(&name, sizeof name, 1, out);
  }
}

void makeParticleFile(const char *path) {
  struct Domain domains[kDomains];
  memset(domains, 0, sizeof domains);
  struct FileHeader header = {kMagic, kDomains, 0, 128, 64.0};
  uint64_t offset = header.indexAt + sizeof domains;
  for (uint32_t i = 0; i < kDomains; i++) {
    domains[i].count = countOf(i);
    domains[i].offset = offset;
    for (int d = 0; d < 3; d++) {
      domains[i].low[d] = d == 0 ? (float)(i * 6) : 0;
      domains[i].high[d] = d == 0 ? (float)(i * 6 + 6) : 64;
    }
    header.particles += domains[i].count;
    offset += domains[i].count * (uint64_t)(6 * sizeof(float) + sizeof(int64_t));
  }
  FILE *out = fopen(path, "wb");
  if (!out) {
    perror(path);
    exit(1);
  }
  fwrite(&header, sizeof header, 1, out);
  fseek(out, (long)header.indexAt, SEEK_SET);
  fwrite(domains, sizeof *domains, kDomains, out);
  for (uint32_t i = 0; i < kDomains; i++)
    putDomain(out, &domains[i], i);
  fclose(out);
}
