// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_THEPROCESS_H
#define FORERUN_THEPROCESS_H

#include "report/Check.h"
#include "runtime/Process.h"

/// \file
/// The one process-wide object (MPI itself is one), for the functions that C code calls. They alone
/// ask for it: what is below this room gets what it needs from its caller. Made by the first call,
/// with what the environment says; any thread.

namespace forerun {

Process &theProcess();
Check *theCheck(); ///< null unless FORERUN_CHECK is given

} // namespace forerun

#endif
