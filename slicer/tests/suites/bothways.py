# SPDX-License-Identifier: Apache-2.0
"""Other people's programs, built by mpicc and by forerun-cc: what they do with Forerun is compared
with what they do without it, and a table says what was announced."""
import concurrent.futures
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
from forerun_check import build, launch, logs  # the path is known only now

MPIEXEC = shlex.split(os.environ.get("FORERUN_MPIEXEC", "")) or \
    [shutil.which("mpiexec.mpich") or "mpiexec"]
IS_HYDRA = b"HYDRA" in subprocess.run([*MPIEXEC, "--version"], stdout=subprocess.PIPE,
                                      check=False).stdout


class Ways:
    """A program built both ways, in the folder `work`."""

    def __init__(self, name, sources, flags, forerun_cc, work):
        self.name, self.work = name, work
        build.compiled(build.find_mpicc(), sources, flags, self.path("original"))
        build.compiled(forerun_cc, sources, flags, self.path("sliced"))

    def path(self, kind):
        return os.path.join(self.work, kind, self.name)

    def directory(self, kind):
        """An empty folder for a run, beside the program, which has the same name both ways."""
        return tempfile.mkdtemp(prefix="run-", dir=os.path.join(self.work, kind))

    def run(self, directory, ranks, arguments, environment, limit, files=launch.files_below):
        """The output is that of each rank in turn, if the launcher can tell them apart: mixed,
        parts of lines that several ranks write come in any order."""
        # Some programs write uninitialised bytes: these must be the same in all runs.
        environment = {"MALLOC_PERTURB_": "85", **environment}
        with tempfile.TemporaryDirectory(dir=self.work) as outputs:
            pattern = ["-outfile-pattern", os.path.join(outputs, "%r")] if IS_HYDRA else []
            command = [*MPIEXEC, *pattern, "-n", ranks, os.path.join("..", self.name), *arguments]
            done = launch.run(command, environment, directory, None, limit,
                              lambda: files(directory))
            for rank in sorted(os.listdir(outputs), key=int):
                with open(os.path.join(outputs, rank), "rb") as file:
                    done.stdout += file.read()
        return done


class Result:
    """Of one program, on this many ranks: its figures, and what is wrong with it."""

    def __init__(self, program, ranks, figures, wrong):
        self.program, self.ranks, self.figures, self.wrong = program, ranks, figures, wrong

    @property
    def coverage(self):
        return self.figures.coverage if self.figures and self.figures.bytes_read else None

    def judge(self, minimum):
        """A program that reads nothing reaches any minimum; one that has left no log reaches
        none."""
        reached = self.coverage if self.figures else 0.0
        if reached is not None and reached < minimum:
            self.wrong.append(f"coverage is {reached:.4f}, not {minimum:g}")

    def cells(self):
        """Ranks, reads, coverage, accuracy."""
        ranks = self.ranks if self.ranks != "0" else "not run"
        if self.coverage is None:
            return [ranks, "", "", ""]
        accuracy = self.figures.accuracy
        return [ranks, str(self.figures.reads), f"{self.coverage:.1%}",
                f"{accuracy:.1%}" if accuracy is not None else "-"]


def examined(run, differences, log):
    """The results of `run(kind, environment)` for the sliced program, compared by `differences`
    with those for the original; and the figures."""
    expected, wrong = run("original", {}), []
    for mode, environment in (("with FORERUN_CHECK", {"FORERUN_CHECK": log}),
                              ("as users run it", {}),
                              ("with FORERUN=0", {"FORERUN": "0"})):
        found = run("sliced", environment)
        wrong += [f"{mode}: {each}" for each in differences(expected, found)]
    return logs.of_run(log), wrong


def row(cells):
    return "| " + " | ".join(cells) + " |"


class Table:
    """The last one of a document."""

    def __init__(self, document, head):
        self.document, self.head = document, head

    def write(self, rows):
        with open(self.document, encoding="utf-8") as file:
            text = file.read()
        begin = text.index(row(self.head))
        end = text.find("\n\n", begin)
        table = "\n".join([row(self.head), row(["---"] * len(self.head)), *rows])
        with open(self.document, "w", encoding="utf-8") as file:
            file.write(text[:begin] + table + (text[end:] if end >= 0 else "\n"))


def check(programs, examine, told, workers, table, is_shown=lambda result: True):
    """Examines all programs, prints a row `told(result)` for each result, and says what is wrong;
    puts the rows to be shown into the table, if there is one. Returns the exit status."""
    rows, wrong = [], []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for results in pool.map(examine, programs):
            for result in results:
                wrong += [f"{result.program.name} on {result.ranks} ranks: {each}"
                          for each in result.wrong]
                print(row(told(result)), flush=True)
                if is_shown(result):
                    rows.append(row(told(result)))
    print(f"{len(programs)} programs, {len(wrong)} mistakes", *wrong, sep="\n")
    if table:
        table.write(rows)
    return 1 if wrong else 0
