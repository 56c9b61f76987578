# SPDX-License-Identifier: Apache-2.0
"""Memory as it is on a machine that has been used for a while.

A virtual machine may give free memory back to its host, and pays milliseconds of processor time a
MiB to get it again. On a machine with memory of its own a page costs the same every time; here
whichever run came after a pause would pay, and the more so the more memory it uses."""

import contextlib
import mmap

WARM_BYTES = 512 << 20  # caches of 16 ranks


def warm():
    """Has the host provide what the next run, whatever it is, will take from the free list."""
    with mmap.mmap(-1, WARM_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        with contextlib.suppress(OSError):  # a kernel without them has small pages everywhere
            memory.madvise(mmap.MADV_HUGEPAGE)
        memory[::mmap.PAGESIZE] = bytes(WARM_BYTES // mmap.PAGESIZE)
