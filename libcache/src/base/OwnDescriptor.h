// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Descriptors that stay open have numbers that the program is not given: above its limit, or,
/// where that is large, where few programs get to. So the numbers that the program sees are those
/// that it sees without Forerun, it has as many as without, and loops that close all of them leave
/// these alone. Not so second ones of the program's files (PosixFile): to move one is to close one.

namespace forerun {

/// Moves \p fd there; any thread, but a limit that another thread sets at the same time can be
/// lost. Returns -1, and closes it, if there is no such number: the program's are not taken.
int moveAboveTheProgram(int fd);

/// Whether \p fd, where an eventfd or a ring was, still has no name and is no file, pipe or socket:
/// a program may put its own there (dup2). To be asked before anything is done with it that such a
/// one would not stand; what happens between the two is left to the program.
bool isStillOwn(int fd);

} // namespace forerun
