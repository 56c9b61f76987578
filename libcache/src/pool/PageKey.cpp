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

class Hash {
public:
  explicit Hash(std::uint64_t seed) : state_(seed) {}
  void add(std::uint64_t value) { state_ = mixed(state_ ^ value) + kOdd; }
  void add(std::string_view text) {
    add(text.size());
    for (const char each : text)
      add(static_cast<std::uint64_t>(static_cast<unsigned char>(each)));
  }
  std::uint64_t value() const { return state_; }

private:
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t state_;
};

std::uint64_t hashOf(std::uint64_t seed, const FileIdentity &identity, const std::string &path) {
  Hash hash(seed);
  hash.add(identity.device);
  hash.add(identity.inode);
  hash.add(identity.fileSystem);
  hash.add(path);
  return hash.value();
}

} // namespace

FileKey::FileKey(const FileIdentity &identity, const std::string &path)
    : high_(hashOf(1, identity, path)), low_(hashOf(2, identity, path)) {}

PageKey FileKey::page(std::uint64_t index, std::uint64_t name) const {
  return {high_ ^ index ^ mixed(name), mixed(low_ + index + name)};
}

} // namespace forerun
