/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators (OOPSLA'14). */
long pb_draw(unsigned long long *state, long below) {
  *state += 0x9e3779b97f4a7c15ull;
  unsigned long long mixed = *state;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
  return (long)((mixed ^ mixed >> 31) % (unsigned long long)below);
}
