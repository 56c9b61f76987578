# SPDX-License-Identifier: Apache-2.0
"""Which files an object is made from. The compile step itself reports them: it writes a rule for
make, as the user has asked (-MD, -MF) or into a file of ours, by the environment variable that GNU
compilers know. If a compiler reports nothing, the source alone is recorded."""
import os
import re

from .files import open_regular

VARIABLES = ("SUNPRO_DEPENDENCIES", "DEPENDENCIES_OUTPUT")
MOST_BYTES = 16 << 20


def names_in(rule):
    """The prerequisites of each rule in a text for make."""
    result = []
    for line in re.sub(r"\\\r?\n", " ", rule).splitlines():
        _, colon, names = line.partition(": ")
        if colon:
            words = re.findall(r"(?:\\.|[^\\\s])+", names)
            result.append([re.sub(r"\\([\\ #:])", r"\1", word).replace("$$", "$")
                           for word in words])
    return result


class Listening:
    """Makes the compiler report what it reads while `asked` is compiled."""

    def __init__(self, asked):
        self.asked, self.ours = asked, None
        self.theirs = asked.dependency_files()
        if not self.theirs and not any(os.environ.get(each) for each in VARIABLES):
            self.ours = os.memfd_create("forerun-cc")

    def environment(self):
        """For the compiler."""
        if self.ours is None:
            return None
        # The name contains no blank, whatever the temporary directory is called.
        return {**os.environ, VARIABLES[0]: f"/proc/{os.getpid()}/fd/{self.ours}"}

    def heard(self):
        """The files that each source was made from, in the order of the sources; empty if that is
        not known."""
        try:
            if self.ours is not None:
                result = names_in(os.fsdecode(os.pread(self.ours, MOST_BYTES, 0)))
            else:
                result = [self._first_rule(path) for path in self.theirs]
        except OSError:
            return []
        return result if len(result) == len(self.asked.sources) else []

    @staticmethod
    def _first_rule(path):
        with open_regular(path) as file:
            rules = names_in(os.fsdecode(file.read(MOST_BYTES)))
        return rules[0] if rules else []
