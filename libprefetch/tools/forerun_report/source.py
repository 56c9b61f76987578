# SPDX-License-Identifier: Apache-2.0
"""The program's sources, where they can still be found."""
import os

NEAR = 12  # lines around a call that are shown at once
MOST_BYTES = 4 << 20


class Source:
    def __init__(self, name, lines):
        self.name, self.lines = name, lines

    @classmethod
    def find(cls, name, directory):
        """By the name that the compiler was given; None if it is not found."""
        for path in (name, os.path.join(directory, name)):
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
                    continue
                with open(path, encoding="utf-8", errors="replace") as file:
                    return cls(name, file.read().splitlines())
            except OSError:
                continue
        return None

    def stretches(self, lines):
        """First and last line of each stretch, and whether it is near one of these lines."""
        near = [any(abs(number - line) <= NEAR for line in lines)
                for number in range(1, len(self.lines) + 1)]
        first = 1
        for number in range(2, len(near) + 2):
            if number > len(near) or near[number - 1] != near[first - 1]:
                yield first, number - 1, near[first - 1]
                first = number
