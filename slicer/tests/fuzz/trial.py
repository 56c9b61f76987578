# SPDX-License-Identifier: Apache-2.0
"""One seed's program: builds it with mpicc and with forerun-cc, runs both and compares."""
import collections
import dataclasses
import glob
import json
import os
import re
import shutil
import subprocess

from forerun_check.launch import end
from program import ARGUMENTS, STDIN, Program

# Bypasses the system's page cache: with it, prefetching would have nothing to gain.
PREFETCHING = {"FORERUN_DIRECT": "1"}
TINY = {"FORERUN_CACHE_SIZE": "8K", "FORERUN_PAGE_SIZE": "4K"}
# MPICH starts sooner, and does not occupy a core that others need.
MPICH = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "UCX_TLS": "self,sm"}
# The sanitizer's library comes before any that is preloaded.
SANITIZED = {"ASAN_OPTIONS": "detect_leaks=0", "LD_PRELOAD": ""}
RANKS = (1, 2)
LAUNCHER_FAILED = b"process manager error waiting for completion"
RETURNED = "its function has returned"
# forerun-cc's line on what it has made.
STATISTICS = re.compile(r"forerun-cc: [^:]*: \d+ of \d+ statements run ahead.*\n")


@dataclasses.dataclass
class Result:
    seed: int
    findings: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)  # not errors, but imperfections
    announced: int = 0  # calls announced where it prefetched
    foreseen: int = 0   # of the ranges read, those that the pre-execution thread named
    read: int = 0
    directory: str = ""


class Trial:
    def __init__(self, tools, seed, work):
        self.tools, self.work = tools, os.path.join(work, f"seed-{seed}")
        self.result = Result(seed, directory=self.work)
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        for name, text in {**Program(seed).sources(), "input": STDIN}.items():
            with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.flags = [("-O0", "-O1", "-O2")[seed % 3], "-w"]
        self.runs = 0

    def path(self, *parts):
        return os.path.join(self.work, *parts)

    def finding(self, text):
        self.result.findings.append(text)

    def makes(self, compiler, *words):
        """False if the compiler fails; whatever it says is a finding."""
        name = os.path.basename(compiler)
        done = subprocess.run([compiler, *self.flags, *words], cwd=self.work, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode != 0:
            self.finding(f"{name} cannot build it: {first(done.stdout)}")
        elif extra := STATISTICS.sub("", done.stdout):
            self.finding(f"{name} says: {first(extra)}")
        return done.returncode == 0

    def compiled(self, compiler, *flags):
        """What is linked: each unit compiled by itself, or the source if there is but one; nothing
        if that fails."""
        sources = sorted(name for name in os.listdir(self.work) if name.endswith(".c"))
        if len(sources) == 1:
            return sources
        if all(self.makes(compiler, *flags, "-c", name) for name in sources):
            return [f"{name[:-2]}.o" for name in sources]
        return []

    def run(self, program, ranks, environment):
        """(stdout, stderr, exit status, files left behind), or None after a finding."""
        for _ in range(3):
            found = self.run_once(program, ranks, environment)
            # The launcher may fail where a program ends before it has got all of its input.
            if not found or LAUNCHER_FAILED not in found[1]:
                break
        return found

    def run_once(self, program, ranks, environment):
        self.runs += 1
        directory = self.path(f"run-{self.runs}")
        os.mkdir(directory)
        command = [self.tools.mpiexec, "-n", str(ranks), self.path(program), *ARGUMENTS]
        with open(self.path("input"), "rb") as source:
            process = subprocess.Popen(command, cwd=directory, stdin=source,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**os.environ, **MPICH, **environment},
                                       start_new_session=True)
        try:
            stdout, stderr = process.communicate(timeout=self.tools.limit)
        except subprocess.TimeoutExpired:
            self.finding(f"{named(program, ranks, environment)} takes more than "
                         f"{self.tools.limit:g} s")
            return None
        finally:
            end(process)
            process.stdout.close()
            process.stderr.close()
        files = {}
        for name in os.listdir(directory):
            with open(os.path.join(directory, name), "rb") as file:
                files[name] = file.read()
        return stdout, stderr, process.returncode, files

    def compare(self, expected, ranks, environment):
        """False if it does not end: then it will not end elsewhere either."""
        found = self.run("sliced", ranks, environment)
        if found is None:
            return False
        what = named("sliced", ranks, environment)
        for name, one, other in zip(("stdout", "stderr", "exit status"), expected, found):
            if one != other:
                self.finding(f"{what} has another {name}: {shown(other)}, not {shown(one)}")
        for name in sorted(expected[3].keys() | found[3].keys()):
            if expected[3].get(name) != found[3].get(name):
                self.finding(f"{what} leaves another {name}")
        return True

    def compare_all(self):
        for ranks in RANKS:
            expected = self.run("original", ranks, {})
            if expected is None:
                return
            report, log = self.path(f"report-{ranks}.json"), self.path(f"log-{ranks}")
            environments = [{**PREFETCHING, "FORERUN_REPORT": report}, {**PREFETCHING, **TINY},
                            {"FORERUN": "0"}]
            environments += [{"FORERUN_CHECK": log}] if ranks == RANKS[-1] else []
            for environment in environments:
                if not self.compare(expected, ranks, environment):
                    return
            self.count_announced(report)
        self.count_foreseen(log)

    def count_announced(self, report):
        try:
            with open(report, encoding="utf-8") as file:
                self.result.announced += json.load(file)["sum"]["announced_calls"]
        except (OSError, ValueError, KeyError) as problem:
            self.finding(f"there is no report: {problem}")

    def count_foreseen(self, log):
        announced = 0
        for path in sorted(glob.glob(glob.escape(log) + ".*.csv")):
            with open(path, encoding="utf-8") as file:
                rows = [line.rstrip("\n").split(",") for line in file]
            read, ahead = (collections.Counter(tuple(row[2:5]) for row in rows if row[0] == kind)
                           for kind in ("read", "prefetch"))
            self.result.read += read.total()
            self.result.foreseen += (read & ahead).total()
            announced += ahead.total()
            self.result.notes += [f"its thread has ended so: {row[1]}" for row in rows
                                  if row[0] == "end" and row[1] != RETURNED]
        if self.result.foreseen != self.result.read or self.result.foreseen != announced:
            self.result.notes.append(f"of {self.result.read} reads {self.result.foreseen} were "
                                     f"foreseen, and {announced - self.result.foreseen} in vain")

    def blame(self):
        """Is it the generator's fault? Undefined behaviour would be reported here."""
        before = list(self.result.findings)
        flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        parts = self.compiled(self.tools.mpicc, *flags)
        if not parts or not self.makes(self.tools.mpicc, *flags, *parts, "-o", "sanitized"):
            return
        for ranks in RANKS:
            done = self.run("sanitized", ranks, SANITIZED)
            if done and (b"Sanitizer" in done[1] or b"runtime error" in done[1]):
                self.finding(f"THE GENERATOR'S FAULT: {shown(done[1])}")
            again = self.run("original", ranks, {}), self.run("original", ranks, {})
            if None not in again and again[0] != again[1]:
                self.finding("THE GENERATOR'S FAULT: the original differs from itself")
        if self.result.findings == before:
            self.finding("(no sanitizer finds fault with the program)")

    def judge(self):
        # Of the same objects: those of forerun-cc are those of mpicc.
        parts = self.compiled(self.tools.forerun_cc)
        if parts and self.makes(self.tools.mpicc, *parts, "-o", "original") and \
                self.makes(self.tools.forerun_cc, *parts, "-o", "sliced"):
            self.compare_all()
        if self.result.findings:
            self.blame()
            for directory in glob.glob(self.path("run-*")):
                shutil.rmtree(directory)
        else:
            shutil.rmtree(self.work)
        return self.result


def named(program, ranks, environment):
    """The command as one would type it in the directory that is kept."""
    settings = [f"{name}={os.path.basename(value)}" for name, value in environment.items()]
    return " ".join([*settings, f"mpiexec -n {ranks} ./{program} {' '.join(ARGUMENTS)} < input"])


def first(text):
    """The most informative line."""
    lines = [line for line in text.splitlines() if line.strip()] or ["nothing"]
    return next((line for line in lines if "error" in line), lines[0])


def shown(value):
    if not isinstance(value, bytes):
        return str(value)
    text = value.decode(errors="replace").strip()
    return repr(text[-200:] if "runtime error" not in text else
                text[text.index("runtime error") - 60:][:200])
