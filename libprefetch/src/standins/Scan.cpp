// SPDX-License-Identifier: Apache-2.0
#include "standins/Scan.h"
#include "standins/Own.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace forerun {
namespace {

constexpr std::size_t kWindowBytes = 512; ///< longer than most conversions need; it grows

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// One conversion of a format, without its '%'.
struct Conversion {
  const char *begin = nullptr, *end = nullptr;
  bool assigns = true;
  std::size_t width = 0; ///< 0: none
  const char *length = nullptr;
  char kind = '\0';

  bool skipsSpace() const { return kind != 'c' && kind != 'C' && kind != '[' && kind != 'n'; }
  bool isText() const { return std::strchr("sScC[", kind) != nullptr; }
  bool isCharacters() const { return kind == 'c' || kind == 'C'; }
  bool isFloat() const { return std::strchr("eEfFgGaA", kind) != nullptr; }
};

/// The position after the set's ']'; the first character of a set may itself be ']'.
const char *endOfSet(const char *at) {
  if (*at == '^')
    ++at;
  if (*at == ']')
    ++at;
  while (*at != '\0' && *at != ']')
    ++at;
  return *at == ']' ? at + 1 : at;
}

/// False: numbered arguments, memory to be allocated, or not a conversion.
bool parse(const char *at, Conversion &conversion) {
  conversion.begin = at;
  for (; *at == '*' || *at == '\'' || *at == 'I'; ++at)
    conversion.assigns = conversion.assigns && *at != '*';
  for (; isDigit(*at); ++at)
    conversion.width = conversion.width * 10 + static_cast<std::size_t>(*at - '0');
  if (*at == '$')
    return false;
  conversion.length = at;
  while (*at != '\0' && std::strchr("hlLqjzt", *at) != nullptr)
    ++at;
  conversion.kind = *at;
  if (conversion.kind == '\0' || conversion.kind == 'm')
    return false;
  conversion.end = conversion.kind == '[' ? endOfSet(at + 1) : at + 1;
  return true;
}

void skipSpace(PrivateStream &stream) {
  while (stream.restBytes() != 0 && isSpace(*stream.rest()))
    stream.skip(1);
  if (stream.restBytes() == 0)
    stream.noteEnd();
}

/// How many characters of \p word the text begins with, in either case.
std::size_t matched(const char *word, const char *text, std::size_t bytes) {
  std::size_t length = 0;
  while (length < bytes && word[length] != '\0' &&
         std::tolower(static_cast<unsigned char>(text[length])) == word[length])
    ++length;
  return length;
}

/// How far a conversion reads before it finds that there is no number.
struct Vain {
  std::size_t bytes = 0;
  bool wrongTaken = false; ///< the last of them is the wrong one: inside a word
};

/// \p text is what comes next.
Vain readInVain(const Conversion &conversion, const char *text, std::size_t bytes) {
  const std::size_t most = conversion.width != 0 ? std::min(conversion.width, bytes) : bytes;
  const std::size_t sign = most > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  if (!conversion.isFloat())
    return {conversion.isText() ? 0 : sign, false};
  const char *const number = text + sign;
  const std::size_t left = most - sign;
  const std::size_t word =
      std::max(matched("nan", number, left), matched("infinity", number, left));
  if (word != 0)
    return {sign + std::min(word + 1, left), word < left};
  return {sign + std::max(matched("0x", number, left), matched(".", number, left)), false};
}

/// The size of a number in memory.
std::size_t numberBytes(const Conversion &conversion) {
  const auto longs = std::count(conversion.length, conversion.end, 'l');
  const auto shorts = std::count(conversion.length, conversion.end, 'h');
  if (conversion.isFloat())
    return std::strchr("Lq", *conversion.length) != nullptr ? sizeof(long double)
           : longs != 0                                     ? sizeof(double)
                                                            : sizeof(float);
  if (conversion.kind == 'p' || longs != 0 || std::strchr("Lqjzt", *conversion.length) != nullptr)
    return sizeof(std::int64_t);
  return sizeof(int) >> std::min<std::ptrdiff_t>(shorts, 2);
}

void store(const Conversion &conversion, long consumed, void *target) {
  const auto longs = std::count(conversion.length, conversion.end, 'l');
  const auto shorts = std::count(conversion.length, conversion.end, 'h');
  if (longs != 0 || std::strchr("Lqjzt", *conversion.length) != nullptr)
    *static_cast<std::int64_t *>(target) = static_cast<std::int64_t>(consumed);
  else if (shorts == 2)
    *static_cast<signed char *>(target) = static_cast<signed char>(consumed);
  else if (shorts == 1)
    *static_cast<short *>(target) = static_cast<short>(consumed);
  else
    *static_cast<int *>(target) = static_cast<int>(consumed);
}

/// Whether the conversion would have read on after the \p consumed bytes at \p text.
bool readsOn(const Conversion &conversion, const char *text, std::size_t consumed) {
  if (!conversion.isText() && !conversion.isFloat())
    return true;
  const std::size_t width = conversion.width != 0       ? conversion.width
                            : conversion.isCharacters() ? 1
                                                        : 0;
  const auto endsIn = [&](const char *word) {
    const std::size_t length = std::strlen(word);
    return consumed >= length && matched(word, text + consumed - length, length) == length;
  };
  if (conversion.isFloat() && (endsIn("nan") || endsIn("infinity")))
    return false;
  return width == 0 || consumed < width;
}

enum class Scanned { Converted, Mismatch, End, Impossible };

constexpr std::size_t kLongestConversion = 300;

/// libc's sscanf of one conversion at \p text: how many bytes it takes, negative if nothing
/// matches. `target` is null if nothing is assigned.
int convertAt(const char *text, const Conversion &conversion, void *target) {
  std::array<char, kLongestConversion> format{"%*"};
  const std::size_t begin = target == nullptr && conversion.assigns ? 2 : 1;
  const auto length = static_cast<std::size_t>(conversion.end - conversion.begin);
  std::memcpy(&format[begin], conversion.begin, length);
  std::memcpy(&format[begin + length], "%n", 3);
  int consumed = -1;
  target != nullptr ? std::sscanf(text, format.data(), target, &consumed)
                    : std::sscanf(text, format.data(), &consumed);
  return consumed;
}

/// The same, after asking the fence: for a text, only a first try tells how long it is.
int assignAt(const char *text, const Conversion &conversion, void *target) {
  if (target == nullptr || !conversion.isText())
    return convertAt(text, conversion,
                     own(target, target != nullptr ? numberBytes(conversion) : 0));
  const int consumed = convertAt(text, conversion, nullptr);
  const bool isWide = *conversion.length == 'l' || conversion.kind == 'S' || conversion.kind == 'C';
  const std::size_t terminator = conversion.isCharacters() ? 0 : 1;
  if (consumed > 0)
    own(target, (static_cast<std::size_t>(consumed) + terminator) * (isWide ? sizeof(wchar_t) : 1));
  return consumed > 0 ? convertAt(text, conversion, target) : consumed;
}

/// One conversion at the stream's position.
Scanned convert(PrivateStream &stream, const Conversion &conversion, void *target) {
  if (conversion.end - conversion.begin + std::strlen("%*%n") >= kLongestConversion)
    return Scanned::Impossible;
  for (std::size_t window = kWindowBytes;; window *= 8) {
    const std::size_t bytes = std::min(window, stream.restBytes());
    char &next = stream.rest()[bytes];
    const char kept = std::exchange(next, '\0');
    const int consumed = assignAt(stream.rest(), conversion, target);
    next = kept;
    const bool last = bytes == stream.restBytes();
    const Vain vain = consumed < 0 ? readInVain(conversion, stream.rest(), bytes) : Vain{};
    const std::size_t read = consumed >= 0 ? static_cast<std::size_t>(consumed) : vain.bytes;
    if (read >= bytes && !last)
      continue;
    if (read == bytes && !vain.wrongTaken && readsOn(conversion, stream.rest(), read))
      stream.noteEnd();
    stream.skip(read);
    return consumed >= 0 ? Scanned::Converted : Scanned::Mismatch;
  }
}

Scanned convertNext(PrivateStream &stream, const Conversion &conversion, void *target) {
  if (conversion.skipsSpace())
    skipSpace(stream);
  if (stream.restBytes() != 0)
    return convert(stream, conversion, target);
  stream.noteEnd();
  return Scanned::End;
}

/// Not a conversion: white space, a character that must come, or "%%". Advances \p format.
Scanned matchText(PrivateStream &stream, const char *&format) {
  if (isSpace(*format)) {
    skipSpace(stream);
    ++format;
    return Scanned::Converted;
  }
  if (*format == '%') {
    skipSpace(stream);
    ++format;
  }
  const char wanted = *format++;
  if (stream.restBytes() == 0) {
    stream.noteEnd();
    return Scanned::End;
  }
  if (*stream.rest() != wanted)
    return Scanned::Mismatch;
  stream.skip(1);
  return Scanned::Converted;
}

} // namespace

int scan(PrivateStream &stream, const char *format, va_list arguments) {
  const long start = stream.tell();
  int assigned = 0;
  Scanned outcome = Scanned::Converted;
  while (*format != '\0' && outcome == Scanned::Converted) {
    if (*format != '%' || format[1] == '%' || isSpace(*format)) {
      outcome = matchText(stream, format);
      continue;
    }
    Conversion conversion;
    if (!parse(format + 1, conversion))
      return kCannotScan;
    format = conversion.end;
    void *const target = conversion.assigns ? va_arg(arguments, void *) : nullptr;
    if (conversion.kind == 'n') {
      if (target != nullptr)
        store(conversion, stream.tell() - start, own(target, numberBytes(conversion)));
      continue;
    }
    outcome = convertNext(stream, conversion, target);
    assigned += outcome == Scanned::Converted && conversion.assigns ? 1 : 0;
  }
  if (outcome == Scanned::Impossible)
    return kCannotScan;
  return outcome == Scanned::End && assigned == 0 ? EOF : assigned;
}

} // namespace forerun
