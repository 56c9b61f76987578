/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CONFIG_H
#define CONFIG_H

struct Config {
  int first, stride, length;
  const char *title;
};

extern struct Config config;
extern int verbosity;
extern const char dataPath[];

void configure(int rank);

#endif
