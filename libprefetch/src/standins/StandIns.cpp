// SPDX-License-Identifier: Apache-2.0
#include "forerun/standins.h"
#include "standins/MergeSort.h"
#include "standins/Own.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <search.h>

/// \file
/// Replacements on the pre-execution thread for libc's functions with hidden state. Elsewhere these
/// do nothing.

using forerun::own;
using forerun::PreThread;

namespace {

/// A block, or null where the program's call would also give null: for what is too large for any
/// process. If its own memory is short, the slice would diverge from the program: the thread ends.
void *granted(PreThread &self, void *block) {
  if (block == nullptr && self.arena().isShort())
    self.end("out of memory for what it allocates");
  return block;
}

/// FFTW's arrays of \p Number; a complex element has two.
template <class Number> Number *numbers(size_t count, size_t perElement) {
  PreThread *self = PreThread::self();
  std::size_t bytes = 0;
  if (self == nullptr || __builtin_mul_overflow(count, perElement * sizeof(Number), &bytes))
    return nullptr;
  return static_cast<Number *>(granted(*self, self->arena().allocate(bytes)));
}

/// The state of random_r, and the table that it points to.
random_data *ownState(random_data *state) {
  // The table begins with what is in front of `state`.
  own(own(state)->state - 1, static_cast<std::size_t>(std::max(state->rand_deg, 0)) + 1);
  if (state->rand_type != 0) { // they point into the table
    own(state->fptr);
    own(state->rptr);
  }
  return state;
}

/// The state of random_r for another table: what is needed to go on with the present one is noted in
/// front of that.
random_data *leaveTable(random_data *state) {
  if (own(state)->state != nullptr)
    own(state->state - 1);
  return state;
}

} // namespace

extern "C" {

void *forerun_pre_malloc(size_t bytes) {
  PreThread *self = PreThread::self();
  return self != nullptr ? granted(*self, self->arena().allocate(bytes)) : nullptr;
}

void *forerun_pre_calloc(size_t count, size_t bytes) {
  PreThread *self = PreThread::self();
  return self != nullptr ? granted(*self, self->arena().allocateZeroed(count, bytes)) : nullptr;
}

void *forerun_pre_realloc(void *block, size_t bytes) {
  PreThread *self = PreThread::self();
  return self != nullptr ? granted(*self, self->arena().reallocate(block, bytes)) : nullptr;
}

void *forerun_pre_aligned_alloc(size_t alignment, size_t bytes) {
  PreThread *self = PreThread::self();
  if (self == nullptr || !std::has_single_bit(alignment))
    return nullptr;
  return granted(*self, self->arena().allocateAligned(alignment, bytes));
}

int forerun_pre_posix_memalign(void **block, size_t alignment, size_t bytes) {
  PreThread *self = PreThread::self();
  if (self == nullptr || !std::has_single_bit(alignment) || alignment % sizeof(void *) != 0)
    return EINVAL;
  void *made = granted(*self, self->arena().allocateAligned(alignment, bytes));
  if (made == nullptr)
    return ENOMEM;
  *own(block) = made;
  return 0;
}

double *forerun_pre_fftw_alloc_real(size_t count) { return numbers<double>(count, 1); }
void *forerun_pre_fftw_alloc_complex(size_t count) { return numbers<double>(count, 2); }
float *forerun_pre_fftwf_alloc_real(size_t count) { return numbers<float>(count, 1); }
void *forerun_pre_fftwf_alloc_complex(size_t count) { return numbers<float>(count, 2); }
long double *forerun_pre_fftwl_alloc_real(size_t count) { return numbers<long double>(count, 1); }
void *forerun_pre_fftwl_alloc_complex(size_t count) { return numbers<long double>(count, 2); }

char *forerun_pre_strdup(const char *text) { return forerun_pre_strndup(text, std::strlen(text)); }

char *forerun_pre_strndup(const char *text, size_t most) {
  const std::size_t length = strnlen(text, most);
  auto *copy = static_cast<char *>(forerun_pre_malloc(length + 1));
  if (copy != nullptr) {
    std::memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

void forerun_pre_qsort(void *base, size_t count, size_t size,
                       int (*compare)(const void *one, const void *other)) {
  forerun_pre_qsort_r(
      base, count, size,
      [](const void *one, const void *other, void *argument) {
        return (*static_cast<int (**)(const void *, const void *)>(argument))(one, other);
      },
      static_cast<void *>(&compare));
}

void forerun_pre_qsort_r(void *base, size_t count, size_t size,
                         int (*compare)(const void *one, const void *other, void *argument),
                         void *argument) {
  PreThread *self = PreThread::self();
  std::size_t bytes = 0;
  if (self == nullptr || __builtin_mul_overflow(count, size, &bytes) || bytes == 0)
    return;
  own(base, bytes);
  void *scratch = self->inner().allocate(bytes);
  if (scratch == nullptr)
    self->end("out of memory for a sort");
  forerun::mergeSort(static_cast<std::byte *>(base), count, size, compare, argument,
                     static_cast<std::byte *>(scratch));
  self->inner().release(scratch);
}

void *forerun_pre_lsearch(const void *key, void *base, size_t *count, size_t size,
                          int (*compare)(const void *one, const void *other)) {
  own(count);
  if (lfind(key, base, count, size, compare) == nullptr) // then it is appended
    own(static_cast<std::byte *>(base) + *count * size, size);
  return lsearch(key, base, count, size, compare);
}

void forerun_pre_free(void *block) {
  if (PreThread *self = PreThread::self())
    self->free(block);
}

void forerun_pre_srand(unsigned seed) { forerun_pre_srandom(seed); }

int forerun_pre_rand(void) { return static_cast<int>(forerun_pre_random()); }

void forerun_pre_srandom(unsigned seed) {
  if (PreThread *self = PreThread::self())
    self->random().seedRandom(seed);
}

long forerun_pre_random(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().random() : 0;
}

void forerun_pre_srand48(long seed) {
  if (PreThread *self = PreThread::self())
    self->random().seed48(seed);
}

double forerun_pre_drand48(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().drand48() : 0;
}

long forerun_pre_lrand48(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().lrand48() : 0;
}

long forerun_pre_mrand48(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().mrand48() : 0;
}

double forerun_pre_erand48(unsigned short state[3]) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().erand48(own(state, 3)) : 0;
}

long forerun_pre_nrand48(unsigned short state[3]) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().nrand48(own(state, 3)) : 0;
}

long forerun_pre_jrand48(unsigned short state[3]) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().jrand48(own(state, 3)) : 0;
}

int forerun_pre_random_r(struct random_data *state, int32_t *result) {
  return random_r(ownState(state), own(result));
}

int forerun_pre_srandom_r(unsigned seed, struct random_data *state) {
  return srandom_r(seed, ownState(state));
}

int forerun_pre_initstate_r(unsigned seed, char *table, size_t bytes, struct random_data *state) {
  return initstate_r(seed, own(table, bytes), bytes, leaveTable(state));
}

int forerun_pre_setstate_r(char *table, struct random_data *state) {
  return setstate_r(own(table), leaveTable(state));
}
}
