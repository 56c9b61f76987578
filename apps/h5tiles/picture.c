/* SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include "field.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { kHeaderBytes = 13, kBitsPerPixel = 8, kGrey = 0 };

static unsigned char shadeOf(double value) {
  const double part = (value - kFieldLow) / (kFieldHigh - kFieldLow);
  return (unsigned char)(part >= 1 ? 255 : part >= 0 ? part * 255 : 0);
}

static void putNumber(unsigned char *bytes, unsigned long number) {
  for (int i = 0; i < 4; i++)
    bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* A chunk of PNG: its length, its type, its contents, and a checksum of these two. */
static void putChunk(FILE *file, const char *type, const unsigned char *bytes, uLong count) {
  unsigned char length[4], checksum[4];
  putNumber(length, count);
  uLong crc = crc32(0, (const Bytef *)type, 4);
  if (count > 0)
    crc = crc32(crc, bytes, (uInt)count);
  putNumber(checksum, crc);
  fwrite(length, 1, 4, file);
  fwrite(type, 1, 4, file);
  fwrite(bytes, 1, count, file);
  fwrite(checksum, 1, 4, file);
}

/* Each row begins with the number of its filter: 0, none. */
static void fillRows(unsigned char *rows, const double *values, hsize_t width, hsize_t height) {
  for (hsize_t y = 0; y < height; y++) {
    *rows++ = 0;
    for (hsize_t x = 0; x < width; x++)
      *rows++ = shadeOf(*values++);
  }
}

static int writeFile(const char *path, const unsigned char *header, const unsigned char *packed,
                     uLong bytes) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return 0;
  fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
  putChunk(file, "IHDR", header, kHeaderBytes);
  putChunk(file, "IDAT", packed, bytes);
  putChunk(file, "IEND", (const unsigned char *)"", 0);
  const int good = !ferror(file);
  return fclose(file) == 0 && good;
}

int writePicture(const char *path, const double *values, hsize_t width, hsize_t height) {
  unsigned char header[kHeaderBytes] = {[8] = kBitsPerPixel, [9] = kGrey};
  putNumber(header, width);
  putNumber(header + 4, height);
  const uLong bytes = (width + 1) * height;
  uLong packedBytes = compressBound(bytes);
  unsigned char *rows = malloc(bytes), *packed = malloc(packedBytes);
  int good = rows && packed;
  if (good) {
    fillRows(rows, values, width, height);
    good = compress(packed, &packedBytes, rows, bytes) == Z_OK &&
           writeFile(path, header, packed, packedBytes);
  }
  free(packed);
  free(rows);
  return good;
}
