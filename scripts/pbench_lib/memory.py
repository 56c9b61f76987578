# SPDX-License-Identifier: Apache-2.0
"""Brings memory into the state of a machine that has been in use for a while.

A virtual machine may return free memory to its host, and then pays milliseconds of processor time
per MiB to get it back. On a physical machine a page always costs the same; on a virtual one the
first run after a pause would pay, in proportion to the memory that it uses."""

import contextlib
import mmap

WARM_BYTES = 512 << 20  # caches of 16 ranks


def warm():
    """Makes the host provide the memory that the next run will allocate."""
    with mmap.mmap(-1, WARM_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        with contextlib.suppress(OSError):  # a kernel without huge pages has small pages everywhere
            memory.madvise(mmap.MADV_HUGEPAGE)
        memory[::mmap.PAGESIZE] = bytes(WARM_BYTES // mmap.PAGESIZE)
