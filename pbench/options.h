/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PBENCH_OPTIONS_H
#define PBENCH_OPTIONS_H

/** \file
 * The command line. Plain values only, so that a copy of the struct copies everything.
 */

enum pb_pattern {
  PB_RANDOM,
  PB_SEQUENTIAL,
  PB_STRIDED,
  PB_WRITES,
  PB_DEPENDENT,
  PB_SHUFFLED,
  PB_APART
};

enum pb_wish { PB_RUN, PB_HELP, PB_VERSION, PB_BAD };

struct pb_options {
  char file[4096];
  char trace[4096]; /**< prefix of the files for the requests of each rank; "": none */
  long n;           /**< the matrix has n rows of n doubles */
  long rows;        /**< that each rank reads */
  long compute;     /**< iterations over the data of each row */
  unsigned seed;
  enum pb_pattern pattern;
  int collective; /**< collective reads */
  int create;     /**< make the matrix first */
  int no_io;      /**< compute on generated rows, read nothing */
  int csv;        /**< results as one line of comma-separated values, after a header */
};

/** Parses; on PB_BAD `complaint` (of `size` bytes) says what is wrong. */
enum pb_wish pb_options_parse(struct pb_options *o, int argc, char **argv, char *complaint,
                              int size);

const char *pb_pattern_name(enum pb_pattern pattern);

/** What --help and --version print. */
extern const char *const pb_usage, *const pb_version;

#endif
