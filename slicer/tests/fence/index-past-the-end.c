/* SPDX-License-Identifier: Apache-2.0 */
/* An early exit that alone bounds an index is cut, and the array's neighbour must not change. */
#include "reader.h"

enum { kSteps = 20 };
static long visited[kSteps];
static double history[kSteps];
static long important[600];

static void work(void) {
  for (int i = 0; i < 600; i++)
    important[i] = i;
  unsigned position = 7;
  double energy = 1e9;
  int step;
  for (step = 0;; step++) {
    position = position * 1103515245u + 12345u;
    visited[step] = position % 1000;
    readAt(visited[step]);
    double e = 0;
    for (int k = 0; k < 20000; k++)
      e += (double)((total + k) % 7) * 1e-9;
    history[step] = e;
    energy = energy / 10 + e * 0;
    if (energy < 1e-8)
      break;
  }
  long sum = 0;
  for (int i = 0; i < 600; i++)
    sum += important[i] * (i + 1);
  for (int i = 0; i <= step; i++)
    sum += visited[i] + (history[i] > 1);
  printf("%d %ld\n", step, sum);
}
