# SPDX-License-Identifier: Apache-2.0
"""Files and texts about which nothing is known: any kind of file, any bytes."""
import mmap
import os
import stat
import subprocess

from forerun_tools import children


def open_regular(path):
    """Opens a file to read its bytes; OSError if it is not a regular file. Others are left alone: a
    FIFO would make us wait, and its writer would notice."""
    if stat.S_ISREG(os.stat(path).st_mode):
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        file.close()
    raise OSError(f"{path} is not a regular file")


def captured(arguments, **options):
    """Runs a program and returns its standard output, whatever bytes that contains."""
    return children.run(arguments, stdout=subprocess.PIPE, encoding="utf-8",
                        errors="surrogateescape", **options)


def symbols(path, *options):
    """What nm lists of a linked file. That has nothing for the linker's plugins, and to load them
    takes nm most of its time; one that was built without them does not know the option."""
    for words in (["--plugin="], []):
        listed = captured(["nm", *words, *options, path], stderr=subprocess.DEVNULL)
        if listed.returncode == 0:
            break
    return listed.stdout


def may_name(path, names):
    """Whether one of the names may be that of a symbol: whether its bytes are in the linked file,
    which is a matter of a millisecond."""
    try:
        with open_regular(path) as file, \
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
            return any(contents.find(name.encode()) >= 0 for name in names)
    except (OSError, ValueError):  # no file, or an empty one
        return True


def is_utf8(text):
    """Whether a file name, as Python represents it, stands for valid UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shown(text):
    """A text of unknown origin, made safe for a message: one line, no control sequences for the
    terminal, not too long."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    line = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    return line if len(line) <= 500 else line[:500] + "..."
