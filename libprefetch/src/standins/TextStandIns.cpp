// SPDX-License-Identifier: Apache-2.0
#include "forerun/standins.h"
#include "standins/Own.h"
#include "standins/Scan.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <libgen.h>

/// \file
/// Functions of libc that write text of a length not given in the call: here the fence is asked for
/// as much as they will write. Otherwise they are libc's own, also on other threads.

using forerun::own;
using forerun::PreThread;

namespace {

/// A text that is changed in place.
char *ownText(char *text) { return text != nullptr ? own(text, std::strlen(text) + 1) : nullptr; }

/// Whether it has the conversion that stores the count written so far (%n): how much that writes,
/// and where, is unknown.
bool storesCount(const char *format) {
  for (const char *at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
    at += 1 + std::strspn(at + 1, "-+ #0'I123456789.*$hlLqjzt");
    if (*at == 'n')
      return true;
    at += *at != '\0' ? 1 : 0;
  }
  return false;
}

void mustNotStoreCount(const char *format) {
  PreThread *self = PreThread::self();
  if (self != nullptr && storesCount(format))
    self->end("it reached a format with %n");
}

/// Calls \p write(arguments) with the variable arguments after \p last.
#define WITH_ARGUMENTS(last, write)                                                                \
  va_list arguments;                                                                               \
  va_start(arguments, last);                                                                       \
  const int result = write;                                                                        \
  va_end(arguments);                                                                               \
  return result

} // namespace

extern "C" {

char *forerun_pre_strcpy(char *to, const char *from) {
  return std::strcpy(own(to, std::strlen(from) + 1), from); // NOLINT
}

char *forerun_pre_stpcpy(char *to, const char *from) {
  return stpcpy(own(to, std::strlen(from) + 1), from);
}

char *forerun_pre_strcat(char *to, const char *from) {
  forerun_pre_strcpy(to + std::strlen(to), from);
  return to;
}

char *forerun_pre_strncat(char *to, const char *from, size_t most) {
  own(to + std::strlen(to), strnlen(from, most) + 1);
  return std::strncat(to, from, most);
}

wchar_t *forerun_pre_wcscpy(wchar_t *to, const wchar_t *from) {
  return std::wcscpy(own(to, std::wcslen(from) + 1), from);
}

wchar_t *forerun_pre_wcscat(wchar_t *to, const wchar_t *from) {
  forerun_pre_wcscpy(to + std::wcslen(to), from);
  return to;
}

char *forerun_pre_strtok_r(char *text, const char *delimiters, char **state) {
  ownText(text != nullptr ? text : *own(state));
  return strtok_r(text, delimiters, state);
}

char *forerun_pre_strtok(char *text, const char *delimiters) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return nullptr;
  ownText(text != nullptr ? text : self->strtokState());
  return strtok_r(text, delimiters, &self->strtokState());
}

char *forerun_pre_strsep(char **text, const char *delimiters) {
  ownText(*own(text));
  return strsep(text, delimiters);
}

int forerun_pre_getsubopt(char **options, char *const *tokens, char **value) {
  own(value);
  ownText(*own(options));
  return getsubopt(options, tokens, value);
}

char *forerun_pre_dirname(char *path) { return dirname(ownText(path)); }
char *forerun_pre___xpg_basename(char *path) { return __xpg_basename(ownText(path)); }

int forerun_pre_vsnprintf(char *to, size_t most, const char *format, va_list arguments) {
  mustNotStoreCount(format);
  return std::vsnprintf(own(to, most), most, format, arguments);
}

int forerun_pre_vsprintf(char *to, const char *format, va_list arguments) {
  mustNotStoreCount(format);
  va_list measured;
  va_copy(measured, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, measured);
  va_end(measured);
  return length < 0 ? length
                    : forerun_pre_vsnprintf(to, static_cast<size_t>(length) + 1, format, arguments);
}

int forerun_pre_sprintf(char *to, const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vsprintf(to, format, arguments));
}

int forerun_pre_snprintf(char *to, size_t most, const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vsnprintf(to, most, format, arguments));
}

int forerun_pre_vasprintf(char **to, const char *format, va_list arguments) {
  va_list measured;
  va_copy(measured, arguments);
  const int length = forerun_pre_vsnprintf(nullptr, 0, format, measured);
  va_end(measured);
  char *text = length < 0
                   ? nullptr
                   : static_cast<char *>(forerun_pre_malloc(static_cast<size_t>(length) + 1));
  *own(to) = text;
  return text == nullptr
             ? -1
             : forerun_pre_vsnprintf(text, static_cast<size_t>(length) + 1, format, arguments);
}

int forerun_pre_asprintf(char **to, const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vasprintf(to, format, arguments));
}

int forerun_pre_vsscanf(const char *text, const char *format, va_list arguments) {
  PreThread *self = PreThread::self();
  const std::size_t length = std::strlen(text);
  char *copy = self != nullptr ? static_cast<char *>(self->inner().allocate(length + 1)) : nullptr;
  if (copy == nullptr)
    return EOF;
  std::memcpy(copy, text, length + 1);
  forerun::PrivateStream stream(copy, length);
  const int assigned = forerun::scan(stream, format, arguments);
  self->inner().release(copy);
  if (assigned == forerun::kCannotScan)
    self->end("it reached a format of scanf that it cannot parse");
  return assigned;
}

int forerun_pre_sscanf(const char *text, const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vsscanf(text, format, arguments));
}

// What glibc's headers turn these calls into under _FORTIFY_SOURCE.

char *forerun_pre___strcpy_chk(char *to, const char *from, size_t /*room*/) {
  return forerun_pre_strcpy(to, from);
}

char *forerun_pre___stpcpy_chk(char *to, const char *from, size_t /*room*/) {
  return forerun_pre_stpcpy(to, from);
}

char *forerun_pre___strcat_chk(char *to, const char *from, size_t /*room*/) {
  return forerun_pre_strcat(to, from);
}

char *forerun_pre___strncat_chk(char *to, const char *from, size_t most, size_t /*room*/) {
  return forerun_pre_strncat(to, from, most);
}

int forerun_pre___sprintf_chk(char *to, int /*flag*/, size_t /*room*/, const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vsprintf(to, format, arguments));
}

int forerun_pre___snprintf_chk(char *to, size_t most, int /*flag*/, size_t /*room*/,
                               const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vsnprintf(to, most, format, arguments));
}

int forerun_pre___asprintf_chk(char **to, int /*flag*/, const char *format, ...) {
  WITH_ARGUMENTS(format, forerun_pre_vasprintf(to, format, arguments));
}

int forerun_pre___vsprintf_chk(char *to, int /*flag*/, size_t /*room*/, const char *format,
                               va_list arguments) {
  return forerun_pre_vsprintf(to, format, arguments);
}

int forerun_pre___vsnprintf_chk(char *to, size_t most, int /*flag*/, size_t /*room*/,
                                const char *format, va_list arguments) {
  return forerun_pre_vsnprintf(to, most, format, arguments);
}
}
