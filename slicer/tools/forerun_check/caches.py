# SPDX-License-Identifier: Apache-2.0
"""The operating system's page cache, which a run leaves full of what the next one reads."""
import os
import stat

DROP = "/proc/sys/vm/drop_caches"
# Whatever is cleared here.
ELSEWHERE = "what other nodes, servers and devices hold"


def may_drop():
    """Whether the whole cache can be dropped."""
    return os.access(DROP, os.W_OK)


def drop():
    """Drops all of it that is written to the storage. False if the system refuses."""
    os.sync()
    try:
        with open(DROP, "w", encoding="ascii") as file:
            file.write("1")
    except OSError:
        return False
    return True


def forget(paths):
    """Drops what it holds of these files. Returns the paths of which it cannot."""
    os.sync()  # what is not written yet stays
    left = []
    for path in paths:
        try:
            file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            left.append(path)
            continue
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise OSError
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        except OSError:
            left.append(path)
        finally:
            os.close(file)
    return left


class Clearing:
    """Clears what can be cleared of caches, before each run, and remembers what could not be."""

    def __init__(self, paths):
        """`paths`: the files that the program reads."""
        self.paths, self.dropped, self.left = paths, may_drop(), []

    def clear(self):
        self.dropped = self.dropped and drop()
        if not self.dropped:
            self.left = forget(self.paths)

    def cleared(self):
        if self.dropped:
            return "the page cache of this node"
        files = len(self.paths) - len(self.left)
        return f"what the page cache of this node held of {files} file{'s' if files != 1 else ''}" \
            if files else "nothing"

    def not_cleared(self):
        """What was not, one for each."""
        mine = [] if self.dropped else [f"{path}" for path in self.left]
        return [*mine, ELSEWHERE]
