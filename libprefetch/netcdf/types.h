/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** The numbers by which netCDF's functions are named. */
#define FOR_ALL_NUMBERS(X)                                                                         \
  X(schar, signed char)                                                                            \
  X(uchar, unsigned char)                                                                          \
  X(ubyte, unsigned char)                                                                          \
  X(short, short)                                                                                  \
  X(ushort, unsigned short)                                                                        \
  X(int, int)                                                                                      \
  X(uint, unsigned int)                                                                            \
  X(long, long)                                                                                    \
  X(longlong, long long)                                                                           \
  X(ulonglong, unsigned long long)                                                                 \
  X(float, float)                                                                                  \
  X(double, double)

/** All types that they are named by. */
#define FOR_ALL_TYPES(X)                                                                           \
  FOR_ALL_NUMBERS(X)                                                                               \
  X(text, char)                                                                                    \
  X(string, char *)
