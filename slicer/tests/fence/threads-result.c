/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread returns points to the program's data. */
#include "reader.h"
#include <pthread.h>

static int shared = 3;

static void *run(void *argument) { return argument; }

static void work(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, run, &shared);
  pthread_join(thread, &result);
  for (int i = 0; i < 100; i++)
    readAt(*(int *)result += 2);
  printf("%d\n", shared);
}
