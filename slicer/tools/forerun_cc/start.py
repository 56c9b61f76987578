# SPDX-License-Identifier: Apache-2.0
"""Which MPI_Init a program calls. Pre-execution starts in the calls of MPI_Init in the sources, and
then calls MPI's own. So a program in which unsliced code intercepts these calls has to stay as it
is."""
import os
import re
import subprocess

from .files import captured, open_regular

NAMES = re.compile(r"\bMPI_Init(_thread)?$", re.M)
DEFINITION = re.compile(rb"\bMPI_Init(_thread)?\s*\([^;{)]*\)\s*\{")
OF_MPI = re.compile(r"lib(p?mpi|mpich|forerun)")


def defines(path, *options):
    listing = captured(["nm", "--defined-only", *options, path], stderr=subprocess.DEVNULL)
    return NAMES.search(listing.stdout) is not None


def is_in_sources(units):
    for unit in units:
        with open_regular(unit.record.source) as file:
            if DEFINITION.search(file.read()):
                return True
    return False


def stranger(output, objects, units, linker_words):
    """What defines an MPI_Init of its own, or decides which one is called; None if that is MPI's,
    or that of the sources."""
    for word in linker_words:
        if re.search(r"\bMPI_Init(_thread)?\b", word):
            return f"the linker's option {word}"
    if defines(output) and not is_in_sources(units):
        return "an object that is not sliced"
    for path in objects:
        if ".so" in path and not OF_MPI.match(os.path.basename(path)) and defines(path, "-D"):
            return path
    return None
