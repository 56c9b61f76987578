// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "models/Models.h"

namespace forerun::slicer {

/// A hidden state that the program changes by a call that only the main thread makes (setenv,
/// initstate) is correct in that thread alone. So this makes the main thread hand over the results
/// of calls that depend on the state (getenv, random).
void forwardChangedStates(Program &program, const Models &models);

} // namespace forerun::slicer
