# SPDX-License-Identifier: Apache-2.0
"""What an object remembers of how it was compiled: a section that the linker leaves out of
programs."""
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess

from forerun_tools import children, ending

from . import elf, environment, timestamps
from .elf import Malformed
from .files import open_regular

SECTION = ".forerun"
VERSION = 3
MOST_RECORD_BYTES = 4 << 20
MOST_FLAGS = 5000  # mpicc needs a millisecond for each
MOST_FLAG_BYTES = 100_000  # all of them; a system accepts at least 128 KiB
MOST_FILES = 20000
MOST_SOURCE_BYTES = 64 << 20
FIELDS = {"version": int, "source": str, "name": str, "directory": str, "flags": list,
          "files": dict, "is_c": bool, "epoch": int, "object": str}
NO_DIGEST = "0" * 64


class Record:
    """One source as it was compiled: `name` is the source as the command line named it, `files` are
    all files that the object was made from, with their digests, `epoch` tells when (`moment_in`),
    `object` is the digest of the object itself (`digest_of_object`)."""

    def __init__(self, **fields):
        self.source, self.name = fields["source"], fields["name"]
        self.directory, self.flags = fields["directory"], fields["flags"]
        self.files, self.is_c = fields["files"], fields["is_c"]
        self.epoch = fields.get("epoch", 0)
        self.object = fields.get("object", NO_DIGEST)

    @staticmethod
    def of(source, flags, is_c=True):
        """The record of a source that is compiled here and now. OSError if it is not a file that
        can be read again."""
        path = os.path.abspath(source)
        return Record(source=path, name=source, directory=os.getcwd(),
                      flags=[*flags, *environment.search_flags()], is_c=is_c,
                      files={path: digest_of(path)})

    def add_files(self, names):
        """Adds files that the object was also made from, relative to its directory."""
        for name in names:
            path = os.path.abspath(os.path.join(self.directory, name))
            try:
                self.files[path] = digest_of(path)
            except OSError:
                pass  # already gone, or not a file that can be read again

    def changed_file(self):
        """A file that has changed since; None if all are as they were."""
        for path, digest in self.files.items():
            try:
                if digest_of(path) != digest:
                    return path
            except OSError:
                return path
        return None


@functools.cache
def digest_of(path):
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MOST_SOURCE_BYTES:
            raise OSError(f"{path} is too large")
        return hashlib.sha256(file.read(size)).hexdigest()


def own_digest(section):
    """The place of the object's digest in a record's text; Malformed if there is none."""
    start = section.rfind(b'"object": "') + len(b'"object": "')
    if not re.fullmatch(rb'[0-9a-f]{64}"}\n', section[start:]):
        raise Malformed("its record is damaged")
    return start


def digest_of_object(path):
    """The digest of an object with a record, without this digest in the record."""
    offset, size = elf.place_of(path, SECTION, MOST_RECORD_BYTES)
    with open_regular(path) as file:
        data = bytearray(file.read())
    start = offset + own_digest(data[offset:offset + size])
    data[start:start + len(NO_DIGEST)] = NO_DIGEST.encode()
    return hashlib.sha256(data).hexdigest()


def attach(record, path):
    """Adds the record to an object. An object that cannot have one (not in ELF format) stays as it
    is."""
    objcopy = shutil.which("objcopy")
    if objcopy is None or not os.path.isfile(path):
        return
    path = os.path.realpath(path)
    directory = os.path.dirname(path)
    if not os.access(directory, os.W_OK):
        return
    with ending.temporary_directory(prefix=".forerun-cc-", dir=directory) as work:
        text, made = os.path.join(work, "record"), os.path.join(work, "object")
        with open(text, "w", encoding="ascii") as file:
            json.dump({"version": VERSION, **vars(record)}, file)
            file.write("\n")
        done = children.run([objcopy, f"--add-section={SECTION}={text}",
                             f"--set-section-flags={SECTION}=readonly,exclude", path, made],
                            stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            write_digest(made)
            shutil.copymode(path, made)
            os.replace(made, path)


def write_digest(path):
    """Puts the digest of an object that was just made into its record."""
    offset, size = elf.place_of(path, SECTION, MOST_RECORD_BYTES)
    with open(path, "r+b") as file:
        file.seek(offset)
        start = offset + own_digest(file.read(size))
        file.seek(start)
        file.write(digest_of_object(path).encode())


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
    """The record in the bytes of a section. Malformed if they hold none: the bytes are
    untrusted."""
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
    paths = [fields["source"], fields["directory"], *fields["files"]]
    texts = [*paths, fields["name"], fields["object"], *fields["flags"], *fields["files"].values()]
    if sum(map(len, map(str, fields["flags"]))) > MOST_FLAG_BYTES:
        raise damaged
    if not 0 <= fields["epoch"] <= timestamps.LAST:
        raise damaged
    if len(fields["files"]) > MOST_FILES or not all(is_text(each) for each in texts):
        raise damaged
    if not all(os.path.isabs(each) for each in paths) or fields["source"] not in fields["files"]:
        raise damaged
    return Record(**fields)


def read(path):
    """The record of an object; None if it has none, Malformed if it cannot be used."""
    place = elf.place_of(path, SECTION, MOST_RECORD_BYTES)
    if place is None:
        return None
    offset, size = place
    with open_regular(path) as file:
        file.seek(offset)
        result = parsed(file.read(size))
    if result.object != digest_of_object(path):
        raise Malformed("it is not what forerun-cc has made: objcopy, strip or ld -r has "
                        "changed it")
    return result
