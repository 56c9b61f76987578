// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thread/PrivateStream.h"

#include <cstdarg>

/// \file
/// fscanf on a private stream. The format is split here; each conversion is done by libc's own
/// sscanf, on a piece of the text that is long enough. Pre-execution thread only: the targets of
/// assignments must be that thread's memory.

namespace forerun {

/// Like vfscanf. Numbered arguments and memory to be allocated ("%ms") give kCannotScan.
constexpr int kCannotScan = -2;
int scan(PrivateStream &stream, const char *format, va_list arguments);

} // namespace forerun
