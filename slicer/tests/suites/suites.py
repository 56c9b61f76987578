# SPDX-License-Identifier: Apache-2.0
"""The programs of the two suites: how they are built and run, and the coverage expected of them."""
import dataclasses
import os

HERE = os.path.dirname(os.path.realpath(__file__))
LISTED = os.path.join(HERE, "..", "..", "..", "romio-patch", "tests")
FOLDERS = {"romio": "src/mpi/romio/test", "mpich": "test/mpi/io"}
# What differs from run to run.
NOT_COMPARED = {
    "perf": {"stderr": b""},  # times
    "shared_fp": {"files": {}},  # which rank writes where in the file
    "big_extents": {"stdout": b""},  # handles of datatypes, as numbers
}
# Those that do not say "No Errors" when they succeed.
SILENT = ("external32", "perf")
UTILITIES = ("mtest.c", "mtest_common.c", "mtest_thread.c")


@dataclasses.dataclass
class Program:
    suite: str
    program: str
    coverage: float
    ranks: str  # "0": only built
    arguments: list
    reason: str

    @property
    def name(self):
        return f"{self.suite}_{self.program}"

    def sources(self, romio, work):
        """The program's own sources, and those that all MPICH programs share."""
        folder = os.path.join(romio, FOLDERS[self.suite])
        source = os.path.join(folder, self.program + ".c")
        if not os.path.exists(source):
            with open(source + ".in", encoding="utf-8") as file:
                text = file.read().replace("@LL@", "lld")
            source = os.path.join(work, self.program + ".c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
        common = os.path.join(romio, "test/mpi/util")
        shared = UTILITIES if self.suite == "mpich" else ()
        return [source, *(os.path.join(common, each) for each in shared)]

    def command(self, romio):
        """Its arguments; its test file is in the folder where it runs."""
        folder = os.path.join(romio, FOLDERS[self.suite])
        return [each.replace("SOURCE", folder).replace("FILE", self.program + ".data")
                for each in self.arguments]


def include_flags(romio):
    return ["-I", LISTED, "-I", os.path.join(romio, "test/mpi/include")]


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            words, _, reason = line.partition("#")
            if words.strip():
                yield words.split(), reason.strip()


def all_programs():
    """In the order of expected.txt; those of suite.txt are run as that says."""
    as_listed = {(suite, program): rest
                 for (suite, program, *rest), _ in lines_of(os.path.join(LISTED, "suite.txt"))}
    found = []
    for (suite, program, coverage, *rest), reason in lines_of(os.path.join(HERE, "expected.txt")):
        ranks, *arguments = as_listed.pop((suite, program), None) or rest
        found.append(Program(suite, program, float(coverage), ranks, arguments, reason))
    if as_listed:
        raise SystemExit(f"expected.txt lacks {', '.join(' '.join(each) for each in as_listed)}")
    return found
