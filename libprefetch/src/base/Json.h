// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forerun {

/// \p text as a JSON string, with quotes. Bytes that are not UTF-8 (file names may have them)
/// become question marks.
std::string jsonString(std::string_view text);
/// \p text unchanged, except that bytes that are not UTF-8 and control characters become question
/// marks: one line, whatever a file's name contains.
std::string readable(std::string_view text);
/// With \p decimals digits after the point.
std::string jsonNumber(double number, int decimals);

/// Builds an object from its members, in the order in which they are added.
class JsonObject {
public:
  /// A value that is already JSON.
  JsonObject &add(std::string_view name, std::string_view value);
  JsonObject &add(std::string_view name, std::uint64_t value);
  std::string onOneLine() const { return "{" + joined(", ") + "}"; }
  std::string onLines() const { return "{\n  " + joined(",\n  ") + "\n}\n"; } ///< one a member

private:
  std::string joined(std::string_view separator) const;

  std::vector<std::string> members_;
};

} // namespace forerun
