# SPDX-License-Identifier: Apache-2.0
"""What to leave out of pre-execution when the compiler refuses what the slicer has written: the
function whose clone has the mistake, or, where that is main, the calls of the line."""
import re

BANNER = "/* ---- The pre-execution thread"
CLONE = re.compile(r"(\w+?)__pre\w*")
SITE = re.compile(r"forerun_pre_\w+\((\d+)\b")


def physical_line(text, name, line):
    """The text of the line that the compiler calls NAME:LINE; the last such line, since clones are
    at the end."""
    result, file, number = "", name, 0
    for each in text.splitlines():
        if directive := re.match(r'#(?:line)? (\d+) "(.*)"', each):
            file, number = directive.group(2), int(directive.group(1)) - 1
            continue
        number += 1
        if file == name and number == line:
            result = each
    return result


def culprits(messages, text, path, sites):
    """What the slicer's `--leave-out` has to name, for a unit of this path. `messages` are the
    compiler's, in English; `text` is what it compiled; `sites` are those of the summary."""
    result, function = [], None
    for line in messages.splitlines():
        if place := re.search(r": In function '(\w+)':", line):
            function = place.group(1)
        elif line.endswith(": At top level:"):
            function = None
        elif error := re.match(r"(.+?):(\d+)(:\d+)?: error: ", line):
            name, number = error.group(1), int(error.group(2))
            clone = CLONE.fullmatch(function or "")
            if clone and clone.group(1) != "main":
                result.append(f"{path}:{clone.group(1)}")
            elif clone:
                wanted = {int(each) for each in SITE.findall(physical_line(text, name, number))}
                result += [f"{each['file']}:{each['line']}" for each in sites
                           if each["site"] in wanted]
            elif number <= text.partition(BANNER)[0].count("\n"):
                result.append(f"{name}:{number}")
    return list(dict.fromkeys(result))
