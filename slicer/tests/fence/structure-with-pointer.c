/* SPDX-License-Identifier: Apache-2.0 */
/* A library function returns a structure with pointers. */
#include "reader.h"
#include <locale.h>
#include <netdb.h>

static void work(void) {
  struct protoent *protocol = getprotobyname("tcp");
  struct lconv *convention = localeconv();
  for (int i = 0; i < 100; i++)
    readAt(i * (protocol ? protocol->p_proto : 6) + convention->decimal_point[0]);
}
