# SPDX-License-Identifier: Apache-2.0
"""Which MPI_Init a program calls. Pre-execution starts in the calls of MPI_Init in the sources, and
then calls MPI's own. So a program in which unsliced code intercepts these calls has to stay as it
is."""
import os
import re
import subprocess

from .files import captured, may_name, open_regular, symbols

MAIN = re.compile(rb"\bmain\s*\(")
CXX = (".C", ".cc", ".cp", ".cpp", ".CPP", ".cxx", ".c++")
NAMES = re.compile(r"\bMPI_Init(_thread)?$", re.M)
DEFINITION = re.compile(rb"\bMPI_Init(_thread)?\s*\([^;{)]*\)\s*\{")
OF_MPI = re.compile(r"lib(p?mpi|mpich|forerun)")


def defines(path, *options):
    return (may_name(path, ["MPI_Init"])
            and NAMES.search(symbols(path, "--defined-only", *options)) is not None)


def is_in_sources(units):
    for unit in units:
        with open_regular(unit.record.source) as file:
            if DEFINITION.search(file.read()):
                return True
    return False


def main_of_cxx(objects, units, foreign_sources):
    """The C++ source or object that has the program's main, as far as can be seen; None if main is
    C, or not known."""
    for unit in units:
        with open_regular(unit.record.source) as file:
            if MAIN.search(file.read()):
                return None
    for path in objects:
        if not os.path.isfile(path) or ".so" in path:
            continue
        listing = captured(["nm", path], stderr=subprocess.DEVNULL).stdout
        if re.search(r" T main$", listing, re.M):
            return path if re.search(r" _Z|__gxx_personality", listing) else None
    return next((source for source in foreign_sources if source.endswith(CXX)), None)


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
