// SPDX-License-Identifier: Apache-2.0
#include "pool/PageKey.h"

#include <string_view>

namespace forerun {
namespace {

/// The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
/// OOPSLA'14): every bit of the result depends on every bit of \p value. One to one.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::uint64_t added(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  return mixed(hash ^ value) + kOdd;
}

std::uint64_t added(std::uint64_t hash, std::string_view text) {
  hash = added(hash, text.size());
  for (const char each : text)
    hash = added(hash, std::uint64_t{static_cast<unsigned char>(each)});
  return hash;
}

std::uint64_t hashOf(std::uint64_t seed, const FileIdentity &identity, const std::string &path) {
  const std::uint64_t numbers = added(added(seed, identity.device), identity.inode);
  return added(added(numbers, identity.fileSystem), path);
}

} // namespace

FileKey::FileKey(const FileIdentity &identity, const std::string &path)
    : high_(hashOf(1, identity, path)), low_(hashOf(2, identity, path)) {}

PageKey FileKey::page(std::uint64_t index, std::uint64_t name) const {
  return {high_ ^ index ^ mixed(name), mixed(low_ + index + name)};
}

} // namespace forerun
