// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_RC_H
#define FORERUN_RC_H

/// \file
/// Return codes of Forerun's libraries. One list defines the code, its name and its text.

#define FORERUN_RC_LIST(X)                                                                         \
  X(FORERUN_OK, 0, "success")                                                                      \
  X(FORERUN_ERR_ARGUMENT, 1, "an argument is out of its range")                                    \
  X(FORERUN_ERR_MEMORY, 2, "out of memory")                                                        \
  X(FORERUN_ERR_IO, 3, "the file system returned an error")                                        \
  X(FORERUN_ERR_UNSUPPORTED, 4, "not supported by this storage or this kernel")                    \
  X(FORERUN_ERR_STALE, 5, "the bytes were written while they were being fetched")                  \
  X(FORERUN_ERR_STOPPED, 6, "the engine has been stopped")                                         \
  X(FORERUN_ERR_AMBIGUOUS, 7, "a file with its number is open that may be another")                \
  X(FORERUN_ERR_WITHDRAWN, 8, "nobody needs the bytes any more")

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef enum forerun_rc {
#define X(code, value, text) code = value,
  FORERUN_RC_LIST(X)
#undef X
} forerun_rc;

/// The code's name ("FORERUN_ERR_IO"); never NULL. Safe from every thread.
const char *forerun_rc_name(forerun_rc rc);

/// The code's text, for messages; never NULL. Safe from every thread.
const char *forerun_rc_text(forerun_rc rc);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
