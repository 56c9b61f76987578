# SPDX-License-Identifier: Apache-2.0
"""What the tests of the documents need to know of Markdown."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def documents():
    """All tracked documents, without the texts of other projects' programs."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, text=True,
                            capture_output=True).stdout.split()
    return [ROOT / name for name in listed]


def split(text):
    """Yields (line number, line, whether it is code) for each line; code is indented by four."""
    in_block, after_blank = False, True
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            after_blank = True
            yield number, line, in_block
            continue
        in_block = line.startswith("    ") and (in_block or after_blank)
        after_blank = False
        yield number, line, in_block


def blocks(text):
    """Yields (number of the first line, [lines without their indentation]) for each code block."""
    block, first = [], 0
    for number, line, is_code in split(text):
        if is_code:
            first = first if block else number
            block.append(line[4:])
        elif block:
            yield first, block
            block = []
    if block:
        yield first, block


def anchors(text):
    """The names by which links refer to the headings, as GitHub generates them."""
    names = {}
    for _, line, is_code in split(text):
        heading = re.match(r"#+ +(.*?) *#*$", line)
        if heading and not is_code:
            title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
            names[name] = names.get(name, -1) + 1
    return {f"{name}-{count}" if count else name
            for name, most in names.items() for count in range(most + 1)}
