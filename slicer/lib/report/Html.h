// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HTML_H
#define FORERUN_SLICER_HTML_H

#include "slice/Analysis.h"

namespace forerun::slicer {

/// A page that shows the sources line by line: what is in the slice, what becomes of each call, and
/// the notes. It loads nothing from elsewhere.
std::string html(const Analysis &analysis, const Units &units);

} // namespace forerun::slicer

#endif
