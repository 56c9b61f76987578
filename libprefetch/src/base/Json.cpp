// SPDX-License-Identifier: Apache-2.0
#include "base/Json.h"

#include <array>
#include <cstddef>
#include <cstdio>

namespace forerun {
namespace {

/// How multi-byte characters begin: the range of the second byte excludes what is overlong, one
/// half of a UTF-16 pair, or beyond the last character (Unicode, table 3-7).
struct Lead {
  unsigned char first, last;     ///< range of such bytes
  unsigned char least, greatest; ///< second byte
  std::size_t bytes;             ///< of the character
};
constexpr std::array<Lead, 8> kLeads{{{0xc2, 0xdf, 0x80, 0xbf, 2},
                                      {0xe0, 0xe0, 0xa0, 0xbf, 3},
                                      {0xe1, 0xec, 0x80, 0xbf, 3},
                                      {0xed, 0xed, 0x80, 0x9f, 3},
                                      {0xee, 0xef, 0x80, 0xbf, 3},
                                      {0xf0, 0xf0, 0x90, 0xbf, 4},
                                      {0xf1, 0xf3, 0x80, 0xbf, 4},
                                      {0xf4, 0xf4, 0x80, 0x8f, 4}}};

bool isBetween(char byte, unsigned char least, unsigned char greatest) {
  const auto value = static_cast<unsigned char>(byte);
  return least <= value && value <= greatest;
}

bool isControl(char byte) { return isBetween(byte, 0, 0x1f) || byte == 0x7f; }

/// Length of the UTF-8 character at the front of \p text; 0 if there is none.
std::size_t characterBytes(std::string_view text) {
  if (isBetween(text.front(), 0, 0x7f))
    return 1;
  for (const Lead &lead : kLeads) {
    if (!isBetween(text.front(), lead.first, lead.last))
      continue;
    if (text.size() < lead.bytes || !isBetween(text[1], lead.least, lead.greatest))
      return 0;
    for (std::size_t n = 2; n < lead.bytes; ++n)
      if (!isBetween(text[n], 0x80, 0xbf))
        return 0;
    return lead.bytes;
  }
  return 0;
}

std::string escaped(char control) {
  std::array<char, 8> code{};
  std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(control));
  return code.data();
}

} // namespace

std::string jsonString(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t bytes = characterBytes(text);
    const char first = text.front();
    if (bytes == 0)
      quoted += '?';
    else if (first == '"' || first == '\\')
      (quoted += '\\') += first;
    else if (isControl(first))
      quoted += escaped(first);
    else
      quoted += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return quoted + '"';
}

std::string readable(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t bytes = characterBytes(text);
    if (bytes == 0 || isControl(text.front()))
      line += '?';
    else
      line += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return line;
}

std::string jsonNumber(double number, int decimals) {
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f", decimals, number);
  return digits.data();
}

JsonObject &JsonObject::add(std::string_view name, std::string_view value) {
  members_.push_back(jsonString(name) + ": ");
  members_.back() += value;
  return *this;
}

JsonObject &JsonObject::add(std::string_view name, std::uint64_t value) {
  return add(name, std::string_view(std::to_string(value)));
}

std::string JsonObject::joined(std::string_view separator) const {
  std::string text;
  for (const std::string &member : members_)
    text.append(&member == members_.data() ? "" : separator).append(member);
  return text;
}

} // namespace forerun
