# SPDX-License-Identifier: Apache-2.0
"""Finds one section of an object file. The file is untrusted: no number in it is believed."""
import os
import struct

from .files import open_regular


class Malformed(Exception):
    """What is wrong with a file."""


# For each class of ELF files (32 and 64 bits): the parts of the header that tell where the table of
# sections is; an entry of that table: name, type, flags, address, offset, size, link.
LAYOUTS = {1: ("32xI10xHHH", "IIIIIII12x"), 2: ("40xQ10xHHH", "IIQQQQI20x")}
HEADER_BYTES = {1: 52, 2: 64}
NOBITS = 8  # the type of a section that takes no space in the file
MOST_BYTES = 256 << 20  # of a table, to read as a whole


class File:
    """Reads parts of a file, or reports that the file is truncated."""

    def __init__(self, file):
        self.file, self.size = file, os.fstat(file.fileno()).st_size

    def part(self, offset, size):
        if offset + size > self.size or size > MOST_BYTES:
            raise Malformed("its table of sections is damaged")
        self.file.seek(offset)
        return self.file.read(size)


def _entries(file):
    """The table of sections, and the index of the one that holds their names; None if this is no
    ELF file or has no sections."""
    start = file.part(0, min(file.size, 64))
    kind = start[4] if start[:4] == b"\x7fELF" and len(start) >= 52 else None
    order = {1: "<", 2: ">"}.get(start[5]) if kind in LAYOUTS else None
    if order is None or len(start) < HEADER_BYTES[kind]:
        return None
    header, entry = (order + layout for layout in LAYOUTS[kind])
    offset, entry_bytes, count, names = struct.unpack(header, start[:struct.calcsize(header)])
    if offset == 0:
        return None
    if entry_bytes != struct.calcsize(entry):
        raise Malformed("its table of sections is damaged")
    first = struct.unpack(entry, file.part(offset, entry_bytes))
    if count == 0:  # more than 65,279 of them
        count = first[5]
    if names == 0xFFFF:
        names = first[6]
    table = file.part(offset, count * entry_bytes)
    return list(struct.iter_unpack(entry, table)), names


def place_of(path, name, most_bytes):
    """Where in the file the contents of the section of that name are: offset and size; None if
    `path` is no ELF file or has no such section. Malformed if it has several, or one that is larger
    or that the file does not hold."""
    with open_regular(path) as opened:
        file = File(opened)
        found = _entries(file)
        if found is None:
            return None
        entries, names = found
        if names >= len(entries):
            raise Malformed("its table of sections is damaged")
        text = file.part(entries[names][4], entries[names][5])
        wanted = name.encode() + b"\0"
        ours = [entry for entry in entries if text.startswith(wanted, entry[0])]
        if not ours:
            return None
        _, kind, _, _, offset, size, _ = ours[0]
        if len(ours) > 1 or kind == NOBITS or size > most_bytes:
            raise Malformed("its record is damaged")
        file.part(offset, size)
        return offset, size
