// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/Check.h"
#include "runtime/Process.h"

/// \file
/// The one process-wide object (MPI itself is one), for the functions that C code calls. Only they
/// ask for it: the layers below this directory get what they need from their callers. Made by the
/// first call, from the environment; any thread.

namespace forerun {

Process &theProcess();
Check *theCheck(); ///< null unless FORERUN_CHECK is given

} // namespace forerun
