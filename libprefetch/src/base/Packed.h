// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// \file
/// Messages between processes of one program: values are taken out in the order they were put in.

namespace forerun {

class Packer {
public:
  void bytes(const void *from, std::size_t count) {
    const auto *begin = static_cast<const char *>(from);
    message.insert(message.end(), begin, begin + count);
  }
  template <class Plain> void value(const Plain &plain) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    bytes(&plain, sizeof plain);
  }
  void text(std::string_view text) {
    value(std::uint64_t{text.size()});
    bytes(text.data(), text.size());
  }

  std::vector<char> message;
};

class Unpacker {
public:
  /// The message must outlive this.
  explicit Unpacker(const std::vector<char> &message)
      : at_(message.data()), end_(at_ + message.size()) {}

  bool isAtEnd() const { return at_ == end_; }
  void bytes(void *to, std::size_t count) {
    if (count != 0)
      std::memcpy(to, at_, count);
    at_ += count;
  }
  template <class Plain> Plain value() {
    static_assert(std::is_trivially_copyable_v<Plain>);
    Plain plain{};
    bytes(&plain, sizeof plain);
    return plain;
  }
  std::string text() {
    const auto count = value<std::uint64_t>();
    const std::string text(at_, count);
    at_ += count;
    return text;
  }

private:
  const char *at_, *end_;
};

} // namespace forerun
