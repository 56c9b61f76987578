# SPDX-License-Identifier: Apache-2.0
"""Which objects the linker has put into a program, and their records."""
import os
import re
import subprocess

from . import record


class Problem(Exception):
    """Why a program cannot be sliced."""


class Unit:
    """A recorded object of the program, or a source of the command line.

    `path` is the source or object as the command line or the linker names it; `archive` and
    `member` say where it comes from if that is an archive."""

    def __init__(self, made, path=None, archive=None, member=None):
        self.record, self.path, self.archive, self.member = made, path, archive, member


def traced_files(text):
    """Reads the linker's --trace: objects, (archive, member) pairs, and all other lines."""
    objects, members, other = [], [], []
    for line in text.splitlines():
        if found := re.fullmatch(r"\((.+)\)(.+)", line) or re.fullmatch(r"(.+\.a)\((.+)\)", line):
            members.append((found.group(1), found.group(2)))
        elif os.path.exists(line) or line.startswith("/"):  # temporary objects are gone by now
            objects.append(line)
        else:
            other.append(line)
    return list(dict.fromkeys(objects)), list(dict.fromkeys(members)), other


def is_thin(archive):
    with open(archive, "rb") as file:
        return file.read(8) == b"!<thin>\n"


def path_of_thin(archive, member):
    """The path of an object that a thin archive names; some tools give it relative to here, some
    relative to the archive."""
    return member if os.path.exists(member) else os.path.join(os.path.dirname(archive), member)


def member_names(archive):
    listing = subprocess.run(["ar", "t", archive], stdout=subprocess.PIPE, text=True, check=True)
    return listing.stdout.splitlines()


def recorded_units(objects, members, work):
    """The units among the files that the linker named."""
    units = []
    for path in objects:
        is_library = ".so" in os.path.basename(path) or path.endswith(".a")
        if not is_library and (made := record.read(path)):
            units.append(Unit(made, path=path))
    for archive, member in members:
        if is_thin(archive):
            if made := record.read(path_of_thin(archive, member)):
                units.append(Unit(made, archive=archive, member=member))
        elif record.has_mark(archive):
            if member_names(archive).count(member) > 1:
                raise Problem(f"{archive} has several members called {member}")
            extracted = os.path.join(work, "member.o")
            with open(extracted, "wb") as file:
                subprocess.run(["ar", "p", archive, member], stdout=file, check=True)
            if made := record.read(extracted):
                units.append(Unit(made, archive=archive, member=member))
    return units


def assign_to_thin_archives(objects, units, named):
    """GNU ld names a thin archive, and its objects like any other file. Objects that the command
    line does not name itself belong to the archive."""
    for archive in objects:
        if not archive.endswith(".a") or not os.path.isfile(archive) or not is_thin(archive):
            continue
        members = {os.path.realpath(path_of_thin(archive, name)): name
                   for name in member_names(archive)}
        for unit in units:
            if unit.archive is None and unit.path not in named:
                if member := members.get(os.path.realpath(unit.path)):
                    unit.archive, unit.member = archive, member


def copy_without(archive, members, into):
    """A copy of the archive without some members."""
    if is_thin(archive):
        kept = [name for name in member_names(archive) if name not in members]
        subprocess.run(["ar", "rcs", into, *(path_of_thin(archive, name) for name in kept)],
                       check=True)
        return
    with open(archive, "rb") as old, open(into, "wb") as new:
        new.write(old.read())
    subprocess.run(["ar", "d", into, *members], check=True)
