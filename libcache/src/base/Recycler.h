// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>
#include <utility>

/// \file
/// Memory for the nodes of containers: what one frees the next one gets, so that a container in
/// steady state does not call malloc. Unlike libstdc++'s pools it may still be used after a failed
/// allocation. All blocks have the size of the first. Threads: none of its own.

namespace forerun {

class Recycler final : public std::pmr::memory_resource {
public:
  Recycler() = default;
  ~Recycler() override {
    while (free_ != nullptr)
      ::operator delete(std::exchange(free_, free_->next));
  }
  Recycler(const Recycler &) = delete;
  Recycler &operator=(const Recycler &) = delete;

private:
  struct Free {
    Free *next;
  };

  void *do_allocate(std::size_t bytes, std::size_t /*alignment*/) override {
    if (bytes != blockBytes_ && blockBytes_ != 0)
      throw std::bad_alloc();
    blockBytes_ = bytes;
    return free_ != nullptr ? std::exchange(free_, free_->next) : ::operator new(bytes);
  }
  void do_deallocate(void *block, std::size_t /*bytes*/, std::size_t /*alignment*/) override {
    free_ = new (block) Free{free_};
  }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }

  std::size_t blockBytes_ = 0;
  Free *free_ = nullptr;
};

} // namespace forerun
