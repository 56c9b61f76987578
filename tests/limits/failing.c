/* SPDX-License-Identifier: Apache-2.0 */
/* Makes calls fail that Forerun makes: to be preloaded. FORERUN_TEST_FAIL=KIND:N[+] lets the N-th
 * call of the kind fail, with a + also all later ones; the kinds are those below. The number of
 * calls of each kind is written to FORERUN_TEST_COUNTS=FILE, a line each. Only calls from
 * libforerun.so and from the libraries that it brings with it count; calls that the program, MPI
 * and the patched MPI-IO make for themselves never fail. */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { MALLOC, THREAD, MMAP, OPEN, DUP, URING, KINDS };
static const char *const kKindNames[KINDS] = {"malloc", "thread", "mmap", "open", "dup", "uring"};

enum { MOST_LIBRARIES = 5, MOST_SEGMENTS = 16 };
static struct {
  uintptr_t begin, end;
} segments[MOST_SEGMENTS];
static int segment_count;

static atomic_long counts[KINDS];
static int failing_kind = -1;
static long failing_call;
static int and_all_after;

static int note_library(struct dl_phdr_info *info, size_t size, void *unused) {
  static const char *const names[MOST_LIBRARIES] = {"/libforerun.so", "/libstdc++.so",
                                                    "/liburing.so", "/libforerun_ucx.so", NULL};
  (void)size;
  (void)unused;
  int is_ours = 0;
  for (int i = 0; names[i] != NULL; i++)
    is_ours |= strstr(info->dlpi_name, names[i]) != NULL;
  for (int i = 0; is_ours && i < info->dlpi_phnum && segment_count < MOST_SEGMENTS; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0)
      continue;
    segments[segment_count].begin = info->dlpi_addr + header->p_vaddr;
    segments[segment_count].end = segments[segment_count].begin + header->p_memsz;
    segment_count++;
  }
  return 0;
}

/* Initialised at the first call: libforerun's constructor may run before one of this library. */
static void begin(void) {
  dl_iterate_phdr(note_library, NULL);
  const char *wanted = getenv("FORERUN_TEST_FAIL");
  if (wanted == NULL)
    return;
  char name[16] = "", plus = '\0';
  if (sscanf(wanted, "%15[a-z]:%ld%c", name, &failing_call, &plus) < 2)
    abort();
  for (int kind = 0; kind < KINDS; kind++)
    if (strcmp(name, kKindNames[kind]) == 0)
      failing_kind = kind;
  and_all_after = plus == '+';
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FORERUN_TEST_COUNTS");
  FILE *file = path != NULL ? fopen(path, "w") : NULL;
  if (file == NULL)
    return;
  for (int kind = 0; kind < KINDS; kind++)
    fprintf(file, "%s %ld\n", kKindNames[kind], counts[kind]);
  fclose(file);
}

static int fails(int kind, const void *caller) {
  static atomic_flag begun = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&begun))
    begin();
  const uintptr_t from = (uintptr_t)caller;
  int is_ours = 0;
  for (int i = 0; i < segment_count; i++)
    is_ours |= from >= segments[i].begin && from < segments[i].end;
  if (!is_ours)
    return 0;
  const long call = ++counts[kind];
  return kind == failing_kind && (call == failing_call || (and_all_after && call > failing_call));
}

#define FAILS(kind) fails(kind, __builtin_return_address(0))

/* The next definition of the function, looked up at its first call. */
#define NEXT(name)                                                                                 \
  static __typeof__(name) *volatile next;                                                          \
  if (next == NULL)                                                                                \
  next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);

static void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

/* The very first is libstdc++'s reserve, from when it is loaded, for exceptions without memory. */
EXPORT void *malloc(size_t bytes) {
  return FAILS(MALLOC) && counts[MALLOC] > 1 ? no_memory() : __libc_malloc(bytes);
}

EXPORT void *calloc(size_t count, size_t bytes) {
  return FAILS(MALLOC) ? no_memory() : __libc_calloc(count, bytes);
}

EXPORT void *realloc(void *block, size_t bytes) {
  return FAILS(MALLOC) ? no_memory() : __libc_realloc(block, bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
  NEXT(aligned_alloc);
  return FAILS(MALLOC) ? no_memory() : next(alignment, bytes);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument) {
  NEXT(pthread_create);
  return FAILS(THREAD) ? EAGAIN : next(thread, attributes, start, argument);
}

EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
  NEXT(timer_create);
  if (!FAILS(THREAD))
    return next(clock, event, timer);
  errno = EAGAIN;
  return -1;
}

EXPORT void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  NEXT(mmap);
  if (!FAILS(MMAP))
    return next(at, bytes, protection, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

EXPORT void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  NEXT(mmap64);
  if (!FAILS(MMAP))
    return next(at, bytes, protection, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

static int no_descriptor(void) {
  errno = EMFILE;
  return -1;
}

EXPORT int open(const char *path, int flags, ...) {
  NEXT(open);
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return FAILS(OPEN) ? no_descriptor() : next(path, flags, mode);
}

EXPORT FILE *fopen(const char *path, const char *mode) {
  NEXT(fopen);
  if (!FAILS(OPEN))
    return next(path, mode);
  (void)no_descriptor();
  return NULL;
}

EXPORT int eventfd(unsigned count, int flags) {
  NEXT(eventfd);
  return FAILS(OPEN) ? no_descriptor() : next(count, flags);
}

EXPORT int memfd_create(const char *name, unsigned flags) {
  NEXT(memfd_create);
  return FAILS(OPEN) ? no_descriptor() : next(name, flags);
}

EXPORT int dup(int fd) {
  NEXT(dup);
  return FAILS(DUP) ? no_descriptor() : next(fd);
}

EXPORT int fcntl(int fd, int command, ...) {
  NEXT(fcntl);
  va_list more;
  va_start(more, command);
  void *argument = va_arg(more, void *);
  va_end(more);
  const int copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  return copies && FAILS(DUP) ? no_descriptor() : next(fd, command, argument);
}

EXPORT int io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags) {
  NEXT(io_uring_queue_init);
  return FAILS(URING) ? -ENOMEM : next(entries, ring, flags);
}

EXPORT int io_uring_submit_and_wait(struct io_uring *ring, unsigned wanted) {
  NEXT(io_uring_submit_and_wait);
  return FAILS(URING) ? -EAGAIN : next(ring, wanted);
}

EXPORT int io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **first,
                                            unsigned wanted, struct __kernel_timespec *longest,
                                            sigset_t *signals) {
  NEXT(io_uring_submit_and_wait_timeout);
  return FAILS(URING) ? -EAGAIN : next(ring, first, wanted, longest, signals);
}

EXPORT int io_uring_register_ring_fd(struct io_uring *ring) {
  NEXT(io_uring_register_ring_fd);
  return FAILS(URING) ? -ENOMEM : next(ring);
}

EXPORT int io_uring_register_iowq_max_workers(struct io_uring *ring, unsigned *values) {
  NEXT(io_uring_register_iowq_max_workers);
  return FAILS(URING) ? -ENOMEM : next(ring, values);
}
