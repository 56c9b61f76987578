// SPDX-License-Identifier: Apache-2.0
#include "base/Json.h"

#include <array>
#include <cstddef>
#include <cstdio>

namespace forerun {
namespace {

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80; }

/// Bytes of the UTF-8 character at the front of \p text; 0 if there is none.
std::size_t characterBytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0x80                   ? 1
                            : lead >= 0xc2 && lead < 0xe0 ? 2
                            : lead >= 0xe0 && lead < 0xf0 ? 3
                            : lead >= 0xf0 && lead < 0xf5 ? 4
                                                          : 0;
  if (bytes > text.size())
    return 0;
  for (std::size_t n = 1; n < bytes; ++n)
    if (!isContinuation(text[n]))
      return 0;
  return bytes;
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
    else if (bytes == 1 && static_cast<unsigned char>(first) < 0x20)
      quoted += escaped(first);
    else
      quoted += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return quoted + '"';
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
