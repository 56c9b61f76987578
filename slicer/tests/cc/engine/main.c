/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests that the command line names with the backend that it names. */
#include "backend.h"
FILE *output;
int rank, warningsAreErrors;
struct result {
  double seconds;
  int64_t bytes, errors;
};
struct test {
  struct hints hints;
  const struct backend *backend;
  void *own;
  struct result *results;
  int repetitions;
  struct test *next;
};
struct printer {
  void (*head)(const struct test *test);
  void (*row)(const struct test *test, const struct result *result);
};
static void headLong(const struct test *test) {
  fprintf(output, "%-10s %-20s %ld\n", test->backend->name, test->hints.name,
          (long)test->hints.block);
}
static void rowLong(const struct test *test, const struct result *result) {
  fprintf(output, "%s: %ld bytes, %ld errors\n", test->backend->name, (long)result->bytes,
          (long)result->errors);
}
static void headNone(const struct test *test) { (void)test; }
static void rowComma(const struct test *test, const struct result *result) {
  fprintf(output, "%s,%ld,%ld\n", test->hints.name, (long)result->bytes, (long)result->errors);
}
static const struct printer printers[] = {{headLong, rowLong}, {headNone, rowComma}};

static struct test *made(const struct hints *hints, const struct backend *backend, int count,
                         char **words) {
  struct test *test = calloc(1, sizeof *test);
  test->hints = *hints;
  test->backend = backend;
  test->repetitions = 2;
  test->results = calloc(2, sizeof *test->results);
  struct option *options = backend->options(&test->own, NULL);
  parse(options, count, words);
  free(options);
  return test;
}
/* The same number in all processes, another one in each run. */
static int64_t stampOf(void) {
  struct timeval now;
  if (gettimeofday(&now, NULL))
    FAIL("gettimeofday failed");
  int64_t stamp = now.tv_sec;
  CHECK(MPI_Bcast(&stamp, 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "cannot agree");
  return stamp;
}
static int64_t compared(const int64_t *buffer, int64_t count, int64_t at) {
  int64_t errors = 0;
  for (int64_t i = 0; i < count; i++)
    errors += buffer[i] != at + i;
  return errors;
}
static void *aligned(size_t bytes) {
  char *whole = malloc(bytes + 4096 + sizeof(void *)), *at = whole + sizeof(void *);
  at += 4096 - ((size_t)at & 4095);
  *(void **)(at - sizeof(void *)) = whole;
  return at;
}
static void transferred(struct test *test, struct file *file, int write, int64_t *buffer,
                        struct result *result) {
  const struct hints *hints = &test->hints;
  for (int64_t i = 0; i < hints->block / hints->transfer; i++) {
    int64_t at = rank * hints->block + i * hints->transfer;
    int64_t words = hints->transfer / (int64_t)sizeof *buffer;
    if (write)
      for (int64_t k = 0; k < words; k++)
        buffer[k] = hints->stamp + at + k;
    int64_t done = test->backend->transfer(write, file, buffer, hints->transfer, at, test->own);
    if (done != hints->transfer)
      FAIL("%ld of %ld bytes", (long)done, (long)hints->transfer);
    if (!write)
      result->errors += compared(buffer, words, hints->stamp + at);
    result->bytes += done;
  }
}
static void run(struct test *test, const struct printer *printer) {
  const struct backend *backend = test->backend;
  backend->take(&test->hints);
  if (backend->check(test->own) || backend->begin(test->own))
    WARN("%s cannot begin\n", backend->name);
  if (rank == 0)
    printer->head(test);
  int64_t *buffer = aligned((size_t)test->hints.transfer);
  for (int i = 0; i < test->repetitions; i++) {
    struct result *result = &test->results[i];
    double begin = MPI_Wtime();
    struct file *file = backend->create(test->hints.name, 0, test->own);
    transferred(test, file, 1, buffer, result);
    backend->flush(file, test->own);
    backend->close(file, test->own);
    MPI_Barrier(MPI_COMM_WORLD);
    if (backend->access(test->hints.name, R_OK, test->own))
      WARN("%s cannot be read\n", test->hints.name);
    int64_t there = backend->size(test->own, test->hints.name);
    if (there < test->hints.block)
      WARN("%s has only %ld bytes\n", test->hints.name, (long)there);
    file = backend->open(test->hints.name, 0, test->own);
    transferred(test, file, 0, buffer, result);
    backend->close(file, test->own);
    result->seconds = MPI_Wtime() - begin;
    int64_t errors = 0;
    MPI_Allreduce(&result->errors, &errors, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (errors)
      WARN("%ld errors\n", (long)errors);
    if (rank == 0)
      printer->row(test, result);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0)
    backend->drop(test->hints.name, test->own);
  free(((void **)buffer)[-1]);
  backend->end(test->own);
}
int main(int argc, char **argv) {
  struct hints hints = {0};
  char *named = strdup("b0");
  int format = 0;
  output = stdout;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &hints.tasks);
  hints.name = strdup("data");
  hints.block = 1 << 20;
  hints.transfer = 1 << 16;
  struct option options[] = {{"name", "the file", TEXT, &hints.name},
                             {"backend", "what reads", TEXT, &named},
                             {"block", "bytes of a process", LONG, &hints.block},
                             {"transfer", "bytes of a call", LONG, &hints.transfer},
                             {"collective", "all together", FLAG, &hints.collective},
                             {"perProcess", "one file each", FLAG, &hints.perProcess},
                             {"verbose", "says more", NUMBER, &hints.verbose},
                             {"info", "for the library", TEXT, &hints.info},
                             {"format", "of the output", NUMBER, &format},
                             {"strict", "warnings are errors", FLAG, &warningsAreErrors},
                             {0, 0, FLAG, 0}};
  parse(options, argc - 1, argv + 1);
  hints.stamp = stampOf();
  struct test *tests = NULL;
  for (const struct backend *const *each = backends; *each; each++)
    if (!strcmp((*each)->name, named)) {
      struct test *test = made(&hints, *each, argc - 1, argv + 1);
      test->next = tests;
      tests = test;
    }
  for (struct test *each = tests; each; each = each->next)
    run(each, &printers[format != 0]);
  return MPI_Finalize();
}
