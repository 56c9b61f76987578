# SPDX-License-Identifier: Apache-2.0
"""What an object remembers of how it was compiled: a section that the linker leaves out of
programs."""
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

from . import elf
from .elf import Malformed
from .files import open_regular

SECTION = ".forerun"
VERSION = 1
MOST_RECORD_BYTES = 1 << 20
MOST_FLAGS = 5000  # mpicc takes a millisecond for each
MOST_SOURCE_BYTES = 64 << 20
FIELDS = {"version": int, "source": str, "directory": str, "flags": list, "digest": str}


class Record:
    """One source as it was compiled."""

    def __init__(self, source, directory, flags, digest):
        self.source, self.directory, self.flags, self.digest = source, directory, flags, digest

    @staticmethod
    def of(source, flags):
        """The record of a source that is compiled here and now."""
        path = os.path.abspath(source)
        return Record(path, os.getcwd(), flags, digest_of(path))

    def is_stale(self):
        """The source has changed since."""
        try:
            return digest_of(self.source) != self.digest
        except OSError:
            return True


def digest_of(path):
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MOST_SOURCE_BYTES:
            raise OSError(f"{path} is too large")
        return hashlib.sha256(file.read(size)).hexdigest()


def attach(record, path):
    """Adds the record to an object. An object that cannot have one (of another format than ELF)
    stays as it is."""
    objcopy = shutil.which("objcopy")
    if objcopy is None or not os.path.isfile(path):
        return
    path = os.path.realpath(path)
    directory = os.path.dirname(path)
    if not os.access(directory, os.W_OK):
        return
    with tempfile.TemporaryDirectory(prefix=".forerun-cc-", dir=directory) as work:
        text, made = os.path.join(work, "record"), os.path.join(work, "object")
        with open(text, "w", encoding="ascii") as file:
            json.dump({"version": VERSION, **vars(record)}, file)
            file.write("\n")
        done = subprocess.run([objcopy, f"--add-section={SECTION}={text}",
                               f"--set-section-flags={SECTION}=readonly,exclude", path, made],
                              stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            shutil.copymode(path, made)
            os.replace(made, path)


def is_text(value):
    """Whether this is a string, and can be an argument of a program."""
    if not isinstance(value, str) or "\0" in value:
        return False
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        return False
    return True


def parsed(text):
    """The record in the bytes of a section. Malformed if they hold none: they are anybody's."""
    if text.count(b"\n") > 1:
        raise Malformed("it consists of several objects with a record each")
    damaged = Malformed("its record is damaged")
    try:
        fields = json.loads(text.decode("ascii"))
    except (ValueError, RecursionError):
        raise damaged from None
    if not isinstance(fields, dict):
        raise damaged
    if fields.get("version") != VERSION:
        raise Malformed("its record is of another version of forerun-cc")
    types = {name: type(value) for name, value in fields.items()}
    if types != FIELDS or len(fields["flags"]) > MOST_FLAGS:
        raise damaged
    del fields["version"]
    texts = [fields["source"], fields["directory"], fields["digest"], *fields["flags"]]
    if not all(is_text(each) for each in texts):
        raise damaged
    if not os.path.isabs(fields["source"]) or not os.path.isabs(fields["directory"]):
        raise damaged
    return Record(**fields)


def read(path):
    """The record of an object; None if it has none, Malformed if it cannot be used."""
    text = elf.section(path, SECTION, MOST_RECORD_BYTES)
    return None if text is None else parsed(text)
