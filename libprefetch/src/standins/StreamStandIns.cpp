// SPDX-License-Identifier: Apache-2.0
#include "forerun/standins.h"
#include "standins/Own.h"
#include "standins/Scan.h"

#include <algorithm>
#include <cstdarg>
#include <cstring>

/// \file
/// The FILE functions of the pre-execution thread. A stream that is not one of its own is at its
/// end.

using forerun::own;
using forerun::PreThread;
using forerun::PrivateStream;
using forerun::PrivateStreams;

namespace {

constexpr std::size_t kShortestLine = 120; ///< libc's first buffer of getline

PrivateStream *privateOf(FILE *stream) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->streams().find(stream) : nullptr;
}

} // namespace

extern "C" {

FILE *forerun_pre_fopen(const char *path, const char *mode) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return nullptr;
  PrivateStream *stream = nullptr;
  switch (self->streams().open(self->inner(), path, mode, stream)) {
  case PrivateStreams::Opened::Yes:
    return reinterpret_cast<FILE *>(stream);
  case PrivateStreams::Opened::No:
    return nullptr;
  case PrivateStreams::Opened::NoFile:
    self->end("it reached a stream that is not a file");
  case PrivateStreams::Opened::NoMemory:
    self->end("out of memory for a file's text");
  }
  return nullptr;
}

int forerun_pre_fclose(FILE *stream) {
  PreThread *self = PreThread::self();
  return self != nullptr && self->streams().close(self->inner(), stream) ? 0 : EOF;
}

int forerun_pre_fgetc(FILE *stream) {
  PrivateStream *mine = privateOf(stream);
  return mine != nullptr ? mine->get() : EOF;
}

int forerun_pre_getc(FILE *stream) { return forerun_pre_fgetc(stream); }

int forerun_pre_ungetc(int c, FILE *stream) {
  PrivateStream *mine = privateOf(stream);
  return mine != nullptr && mine->unget(c) ? static_cast<unsigned char>(c) : EOF;
}

char *forerun_pre_fgets(char *line, int most, FILE *stream) {
  PrivateStream *mine = privateOf(stream);
  if (mine == nullptr || most <= 0)
    return nullptr;
  own(line, std::min(static_cast<std::size_t>(most), mine->restBytes() + 1));
  return mine->line(line, most);
}

ssize_t forerun_pre_getline(char **line, size_t *bytes, FILE *stream) {
  return forerun_pre_getdelim(line, bytes, '\n', stream);
}

ssize_t forerun_pre_getdelim(char **line, size_t *bytes, int delimiter, FILE *stream) {
  PrivateStream *mine = privateOf(stream);
  if (mine == nullptr)
    return -1;
  own(line);
  own(bytes);
  const std::size_t rest = mine->restBytes();
  const void *end = rest != 0 ? std::memchr(mine->rest(), delimiter, rest) : nullptr;
  if (end == nullptr)
    mine->noteEnd();
  if (rest == 0)
    return -1;
  const std::size_t length =
      end != nullptr ? static_cast<const char *>(end) - mine->rest() + 1 : rest;
  if (*line == nullptr || *bytes < length + 1) {
    const std::size_t grown = std::max({kShortestLine, 2 * *bytes, length + 1});
    auto *moved = static_cast<char *>(forerun_pre_realloc(*line, grown));
    if (moved == nullptr)
      PreThread::self()->end("out of memory for a line");
    *line = moved;
    *bytes = grown;
  }
  own(*line, length + 1);
  mine->read(*line, length);
  (*line)[length] = '\0';
  return static_cast<ssize_t>(length);
}

size_t forerun_pre_fread(void *data, size_t size, size_t count, FILE *stream) {
  PrivateStream *mine = privateOf(stream);
  std::size_t bytes = 0;
  if (mine == nullptr || __builtin_mul_overflow(size, count, &bytes) || bytes == 0)
    return 0;
  own(data, std::min(bytes, mine->restBytes()));
  return mine->read(data, bytes) / size;
}

int forerun_pre_fscanf(FILE *stream, const char *format, ...) {
  PrivateStream *mine = privateOf(stream);
  if (mine == nullptr)
    return EOF;
  va_list arguments;
  va_start(arguments, format);
  const int assigned = forerun::scan(*mine, format, arguments);
  va_end(arguments);
  if (assigned == forerun::kCannotScan)
    PreThread::self()->end("it reached a format of scanf that it cannot parse");
  return assigned;
}

int forerun_pre_fseek(FILE *stream, long offset, int whence) {
  PrivateStream *mine = privateOf(stream);
  return mine != nullptr && mine->seek(offset, whence) ? 0 : -1;
}

long forerun_pre_ftell(FILE *stream) {
  const PrivateStream *mine = privateOf(stream);
  return mine != nullptr ? mine->tell() : -1;
}

void forerun_pre_rewind(FILE *stream) { forerun_pre_fseek(stream, 0, SEEK_SET); }

int forerun_pre_feof(FILE *stream) {
  const PrivateStream *mine = privateOf(stream);
  return mine == nullptr || mine->atEnd() ? 1 : 0;
}

/// A stream that was in memory when it was opened cannot fail.
int forerun_pre_ferror(FILE *stream) { return privateOf(stream) == nullptr ? 1 : 0; }

void forerun_pre_clearerr(FILE *stream) {
  if (PrivateStream *mine = privateOf(stream))
    mine->clearEnd();
}
}
