/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_STANDINS_H
#define FORERUN_STANDINS_H

/** \file
 * What a sliced program calls on the pre-execution thread in place of functions of libc and MPI
 * that have hidden state, take locks or allocate: forerun_pre_NAME for NAME, with the same
 * arguments and the results that the main thread's call of NAME will give. None of their effects
 * can be seen outside the thread; memory is freed when it has ended. On any other thread they do
 * nothing.
 */

#include <getopt.h>
#include <mpi.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct random_data; /* of stdlib.h; NOLINT(readability-identifier-naming) */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** @{ Memory. A block not from these functions is not freed, and is copied where it grows. */
void *forerun_pre_malloc(size_t bytes);
void *forerun_pre_calloc(size_t count, size_t bytes);
void *forerun_pre_realloc(void *block, size_t bytes);
void *forerun_pre_aligned_alloc(size_t alignment, size_t bytes);
int forerun_pre_posix_memalign(void **block, size_t alignment, size_t bytes);
void forerun_pre_free(void *block);
char *forerun_pre_strdup(const char *text);
char *forerun_pre_strndup(const char *text, size_t most);
int forerun_pre_MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void *block);
int forerun_pre_MPI_Free_mem(void *block);
double *forerun_pre_fftw_alloc_real(size_t count);
void *forerun_pre_fftw_alloc_complex(size_t count);
float *forerun_pre_fftwf_alloc_real(size_t count);
void *forerun_pre_fftwf_alloc_complex(size_t count);
long double *forerun_pre_fftwl_alloc_real(size_t count);
void *forerun_pre_fftwl_alloc_complex(size_t count);
/** @} */

/** @{ Random numbers: streams that begin where the program's do. */
void forerun_pre_srand(unsigned seed);
int forerun_pre_rand(void);
void forerun_pre_srandom(unsigned seed);
long forerun_pre_random(void);
void forerun_pre_srand48(long seed);
double forerun_pre_drand48(void);
long forerun_pre_lrand48(void);
long forerun_pre_mrand48(void);
double forerun_pre_erand48(unsigned short state[3]);
long forerun_pre_nrand48(unsigned short state[3]);
long forerun_pre_jrand48(unsigned short state[3]);
int forerun_pre_random_r(struct random_data *state, int32_t *result);
int forerun_pre_srandom_r(unsigned seed, struct random_data *state);
int forerun_pre_initstate_r(unsigned seed, char *table, size_t bytes, struct random_data *state);
int forerun_pre_setstate_r(char *table, struct random_data *state);
/** @} */

/** @{ The logarithm of the gamma function, with a variable of its own for the sign. */
extern int forerun_pre_signgam;
double forerun_pre_lgamma(double x);
float forerun_pre_lgammaf(float x);
long double forerun_pre_lgammal(long double x);
/** @} */

/** @{ The same order as glibc's, even of elements that compare equal. */
void forerun_pre_qsort(void *base, size_t count, size_t size,
                       int (*compare)(const void *one, const void *other));
void forerun_pre_qsort_r(void *base, size_t count, size_t size,
                         int (*compare)(const void *one, const void *other, void *argument),
                         void *argument);
/** @} */

void *forerun_pre_lsearch(const void *key, void *base, size_t *count, size_t size,
                          int (*compare)(const void *one, const void *other));

/** @{ Text in memory: libc's own functions, after the fence has been asked (runtime.h). A format
 * with %n ends the thread. */
char *forerun_pre_strcpy(char *to, const char *from);
char *forerun_pre_stpcpy(char *to, const char *from);
char *forerun_pre_strcat(char *to, const char *from);
char *forerun_pre_strncat(char *to, const char *from, size_t most);
wchar_t *forerun_pre_wcscpy(wchar_t *to, const wchar_t *from);
wchar_t *forerun_pre_wcscat(wchar_t *to, const wchar_t *from);
char *forerun_pre_strtok(char *text, const char *delimiters);
char *forerun_pre_strtok_r(char *text, const char *delimiters, char **state);
char *forerun_pre_strsep(char **text, const char *delimiters);
int forerun_pre_getsubopt(char **options, char *const *tokens, char **value);
char *forerun_pre_dirname(char *path);
char *forerun_pre___xpg_basename(char *path);
int forerun_pre_sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int forerun_pre_snprintf(char *to, size_t most, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int forerun_pre_vsprintf(char *to, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
int forerun_pre_vsnprintf(char *to, size_t most, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int forerun_pre_asprintf(char **to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int forerun_pre_vasprintf(char **to, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
int forerun_pre___asprintf_chk(char **to, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int forerun_pre_sscanf(const char *text, const char *format, ...)
    __attribute__((format(scanf, 2, 3)));
int forerun_pre_vsscanf(const char *text, const char *format, va_list arguments)
    __attribute__((format(scanf, 2, 0)));
char *forerun_pre___strcpy_chk(char *to, const char *from, size_t room);
char *forerun_pre___stpcpy_chk(char *to, const char *from, size_t room);
char *forerun_pre___strcat_chk(char *to, const char *from, size_t room);
char *forerun_pre___strncat_chk(char *to, const char *from, size_t most, size_t room);
int forerun_pre___sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int forerun_pre___snprintf_chk(char *to, size_t most, int flag, size_t room, const char *format,
                               ...) __attribute__((format(printf, 5, 6)));
int forerun_pre___vsprintf_chk(char *to, int flag, size_t room, const char *format,
                               va_list arguments) __attribute__((format(printf, 4, 0)));
int forerun_pre___vsnprintf_chk(char *to, size_t most, int flag, size_t room, const char *format,
                                va_list arguments) __attribute__((format(printf, 5, 0)));
/** @} */

/** @{ Options, with variables of their own. Nothing is printed on stderr. The extension "W;" is not
 * supported. */
extern char *forerun_pre_optarg;
extern int forerun_pre_optind, forerun_pre_opterr, forerun_pre_optopt;
int forerun_pre_getopt(int argc, char *const argv[], const char *options);
int forerun_pre_getopt_long(int argc, char *const argv[], const char *options,
                            const struct option *longOptions, int *index);
int forerun_pre_getopt_long_only(int argc, char *const argv[], const char *options,
                                 const struct option *longOptions, int *index);
/** @} */

/** @{ Streams: a file is read whole when it is opened. Opened for writing it is empty. The FILE of
 * these functions is useless to others, and theirs is at its end here. What is not a regular file
 * cannot be read: that ends the thread. */
FILE *forerun_pre_fopen(const char *path, const char *mode);
int forerun_pre_fclose(FILE *stream);
int forerun_pre_fgetc(FILE *stream);
int forerun_pre_getc(FILE *stream);
int forerun_pre_ungetc(int c, FILE *stream);
char *forerun_pre_fgets(char *line, int most, FILE *stream);
ssize_t forerun_pre_getline(char **line, size_t *bytes, FILE *stream);
ssize_t forerun_pre_getdelim(char **line, size_t *bytes, int delimiter, FILE *stream);
size_t forerun_pre_fread(void *data, size_t size, size_t count, FILE *stream);
int forerun_pre_fscanf(FILE *stream, const char *format, ...) __attribute__((format(scanf, 2, 3)));
int forerun_pre_fseek(FILE *stream, long offset, int whence);
long forerun_pre_ftell(FILE *stream);
void forerun_pre_rewind(FILE *stream);
int forerun_pre_feof(FILE *stream);
int forerun_pre_ferror(FILE *stream);
void forerun_pre_clearerr(FILE *stream);
/** @} */

/** @{ MPI's queries about memory, statuses and datatypes. Datatypes are named ones, were made by
 * the functions below, or received; others give MPI_ERR_TYPE: MPI would end the program. */
int forerun_pre_MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int forerun_pre_MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count);
int forerun_pre_MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int forerun_pre_MPI_Type_size(MPI_Datatype type, int *size);
int forerun_pre_MPI_Type_size_x(MPI_Datatype type, MPI_Count *size);
int forerun_pre_MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int forerun_pre_MPI_Get_count_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int forerun_pre_MPI_Get_elements_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int forerun_pre_MPI_Type_size_c(MPI_Datatype type, MPI_Count *size);
int forerun_pre_MPI_Type_get_extent_c(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int forerun_pre_MPI_Get_address(const void *location, MPI_Aint *address);
int forerun_pre_MPI_Address(void *location, MPI_Aint *address);
/** @} */

/** @{ Constructors of datatypes, and related calls: the types are the pre-execution thread's own,
 * and unknown to MPI. MPI_ERR_TYPE or MPI_ERR_ARG, and MPI_DATATYPE_NULL, if none is made. */
int forerun_pre_MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent,
                                        MPI_Datatype *made);
int forerun_pre_MPI_Type_create_resized_c(MPI_Datatype type, MPI_Count lower, MPI_Count extent,
                                          MPI_Datatype *made);
int forerun_pre_MPI_Type_vector(int count, int length, int stride, MPI_Datatype type,
                                MPI_Datatype *made);
int forerun_pre_MPI_Type_vector_c(MPI_Count count, MPI_Count length, MPI_Count stride,
                                  MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                                        MPI_Datatype *made);
int forerun_pre_MPI_Type_create_hvector_c(MPI_Count count, MPI_Count length, MPI_Count stride,
                                          MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_indexed(int count, const int *lengths, const int *places,
                                 MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_indexed_c(MPI_Count count, const MPI_Count *lengths,
                                   const MPI_Count *places, MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *places,
                                         MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count *lengths,
                                           const MPI_Count *places, MPI_Datatype type,
                                           MPI_Datatype *made);
int forerun_pre_MPI_Type_create_indexed_block(int count, int length, const int *places,
                                              MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count length,
                                                const MPI_Count *places, MPI_Datatype type,
                                                MPI_Datatype *made);
int forerun_pre_MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *places,
                                               MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count length,
                                                 const MPI_Count *places, MPI_Datatype type,
                                                 MPI_Datatype *made);
int forerun_pre_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *places,
                                       const MPI_Datatype *types, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths,
                                         const MPI_Count *places, const MPI_Datatype *types,
                                         MPI_Datatype *made);
int forerun_pre_MPI_Type_create_subarray(int dimensions, const int *sizes, const int *subsizes,
                                         const int *starts, int order, MPI_Datatype type,
                                         MPI_Datatype *made);
int forerun_pre_MPI_Type_create_subarray_c(int dimensions, const MPI_Count *sizes,
                                           const MPI_Count *subsizes, const MPI_Count *starts,
                                           int order, MPI_Datatype type, MPI_Datatype *made);
int forerun_pre_MPI_Type_create_darray(int size, int rank, int dimensions, const int *sizes,
                                       const int *distributions, const int *arguments,
                                       const int *processes, int order, MPI_Datatype type,
                                       MPI_Datatype *made);
int forerun_pre_MPI_Type_create_darray_c(int size, int rank, int dimensions, const MPI_Count *sizes,
                                         const int *distributions, const int *arguments,
                                         const int *processes, int order, MPI_Datatype type,
                                         MPI_Datatype *made);
int forerun_pre_MPI_Type_commit(MPI_Datatype *type);
int forerun_pre_MPI_Type_free(MPI_Datatype *type);
/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
