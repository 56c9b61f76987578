# SPDX-License-Identifier: Apache-2.0
"""What to leave out of pre-execution when the compiler refuses what the slicer has written: the
calls of the line, then its statement, then the function."""
import re

BANNER = "/* ---- The pre-execution thread"
CLONE = re.compile(r"(\w+?)__pre\w*")
SITE = re.compile(r"forerun_pre_\w+\((\d+)\b")


def physical_number(text, name, line):
    """The number, in the text itself, of the line that the compiler calls NAME:LINE; the last such
    line, since clones are at the end. 0 if there is none."""
    result, file, number = 0, name, 0
    for physical, each in enumerate(text.splitlines(), 1):
        if directive := re.match(r'#(?:line)? (\d+) "(.*)"', each):
            file, number = directive.group(2), int(directive.group(1)) - 1
            continue
        number += 1
        if file == name and number == line:
            result = physical
    return result


class Mistakes:
    """The compiler's messages, in English, about the text of a unit of this path. `summary` is what
    the slicer says of the program, `left_out` are its options so far."""

    def __init__(self, messages, text, path, summary, left_out):
        self.messages, self.text, self.path = messages, text, path
        self.lines = text.splitlines()
        self.summary, self.left_out = summary, left_out
        self.clones_begin = text.partition(BANNER)[0].count("\n") + 1

    def options(self):
        """What the slicer's options have to name next."""
        result = []
        for name, line, function in self._errors():
            result += self._of_error(name, line, function)
        return list(dict.fromkeys(result))

    def _errors(self):
        """The places of errors, each with the function: not in a macro, but where that is used."""
        found, function = [], None
        for line in self.messages.splitlines():
            if place := re.search(r": In function '(\w+)':", line):
                function = place.group(1)
            elif line.endswith(": At top level:"):
                function = None
            elif error := re.match(r"(.+?):(\d+)(:\d+)?: error: ", line):
                found.append((error.group(1), int(error.group(2)), function))
            elif found and (use := re.match(r"(.+?):(\d+):\d+: note: in expansion of macro", line)):
                found[-1] = (use.group(1), int(use.group(2)), function)
        return found

    def _of_error(self, name, line, function):
        number = physical_number(self.text, name, line)
        if number < self.clones_begin:
            return [f"--leave-out={name}:{line}"]
        clone = CLONE.fullmatch(function or "")
        return self._of_clone(clone.group(1), number) if clone else []

    def _of_clone(self, function, number):
        sites = {int(each) for each in SITE.findall(self.lines[number - 1])}
        calls = [f"--leave-out={each['file']}:{each['line']}" for each in self.summary["sites"]
                 if each["site"] in sites]
        if new := [each for each in calls if each not in self.left_out]:
            return new
        head = max((each for each in range(1, number + 1)
                    if re.match(rf"\S.*\b{function}__pre\w*\(", self.lines[each - 1])), default=0)
        statement = max((each for each in self.summary["written"]
                         if each["unit"] == self.path and head < each["at"] <= number),
                        key=lambda each: each["at"], default=None)
        if statement:
            # Without its value, then not at all.
            for asked in (f"--drop={statement['file']}:{statement['line']}",
                          f"--end={statement['file']}:{statement['line']}"):
                if asked not in self.left_out:
                    return [asked]
        return [f"--leave-out={self.path}:{function}"] if function != "main" else []
