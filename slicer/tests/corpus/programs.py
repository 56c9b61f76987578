# SPDX-License-Identifier: Apache-2.0
"""The corpus as expected.txt lists it."""
import dataclasses
import glob
import os
import re
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))


@dataclasses.dataclass
class Program:
    name: str
    coverage: str
    accuracy: str
    ranks: str
    environment: dict = dataclasses.field(default_factory=dict)
    arguments: list = dataclasses.field(default_factory=list)
    stdin: str = None
    flags: list = dataclasses.field(default_factory=list)
    status: int = 0
    lead: str = "0"

    @property
    def sources(self):
        """NAME.c or all of NAME/, here or in large/."""
        for folder in (HERE, os.path.join(HERE, "large")):
            if os.path.isfile(path := os.path.join(folder, self.name + ".c")):
                return [path]
            if found := sorted(glob.glob(os.path.join(folder, self.name, "*.c"))):
                return found
        raise SystemExit(f"expected.txt names {self.name}, which does not exist")


def parse(line):
    words = iter(line.split("#")[0].split())
    program = Program(next(words), next(words), next(words), next(words))
    into = program.arguments
    for word in words:
        if word == "<":
            program.stdin = os.path.join(HERE, next(words))
        elif word == "status:":
            program.status = int(next(words))
        elif word == "lead:":
            program.lead = next(words)
        elif word == "flags:":
            into = program.flags
        elif re.match(r"[A-Z_]+=", word):
            name, value = word.split("=", 1)
            program.environment[name] = value
        else:
            into.append(word)
    return program


def hdf5():
    """Flags and release, as two numbers, of the HDF5 that is installed in the folder FORERUN_HDF5,
    or else of Debian's; no flags if it is not there."""
    prefix = os.environ.get("FORERUN_HDF5")
    module, path, more = "hdf5-mpich", {}, []
    if prefix:
        library = os.path.join(prefix, "lib")
        module, path = "hdf5", {"PKG_CONFIG_PATH": os.path.join(library, "pkgconfig")}
        more = ["-Wl,-rpath," + library]

    def told(*what):
        return subprocess.run(["pkg-config", *what, module], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env={**os.environ, **path},
                              check=False).stdout.split()

    flags, release = told("--cflags", "--libs"), told("--modversion")
    return (flags + more, [int(each) for each in release[0].split(".")[:2]]) if flags else ([], [])


def listed_programs():
    with open(os.path.join(HERE, "expected.txt"), encoding="utf-8") as file:
        return [parse(line) for line in file if line.split("#")[0].strip()]


def all_programs():
    """Those that can be built: hdf5-NAME where HDF5 is, hdf5-later-NAME where it is 1.14."""
    flags, release = hdf5()
    found = []
    for program in listed_programs():
        if program.name.startswith("hdf5-"):
            if release < ([1, 14] if program.name.startswith("hdf5-later-") else [1, 10]):
                continue
            program.flags += flags
        found.append(program)
    return found
