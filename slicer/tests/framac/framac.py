# SPDX-License-Identifier: Apache-2.0
"""Frama-C's slicer: which lines of a program it keeps."""
import json
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
LIMIT = 300  # seconds for one program
OPTIONS = ["-eva-no-show-progress", "-calldeps", "-eva-unroll-recursive-calls", "8",
           "-eva-no-alloc-returns-null", "-eva-builtin", "forerun_new:Frama_C_malloc"]
MISTAKE = re.compile(r"(?:User Error|Failure|Unexpected error|Unimplemented)\b(?!: Deferred)"
                     r"(.*(?:\n +.*)*)")
OWN = re.compile(r"\{|return;$|(?:(?:case [^:]*|default|\w+):\s*)*;$")


class Refused(Exception):
    """Frama-C does not slice this program, in its own words."""


def requests(source):
    """Requests to Frama-C's server after slicing, for the statements that remain. Slicing renames
    functions, and lists them only after it has run; so every word that may be a function is
    requested, and errors are expected."""
    with open(source, encoding="utf-8") as file:
        names = sorted(set(re.findall(r"\b[A-Za-z_]\w*(?=\()", file.read())))
    asked = [{"id": name, "request": "kernel.ast.printFunction", "data": name}
             for each in names for name in (each, f"{each}_slice_1")]
    return asked + [{"id": "reload", "request": "kernel.ast.reloadMarkerInfo", "data": None},
                    {"id": "markers", "request": "kernel.ast.fetchMarkerInfo", "data": 1000000}]


def kept(frama_c, mpi_include, source, calls):
    """Lines of the statements that it keeps when it slices on all calls of these functions."""
    if not calls:
        raise Refused("there is nothing to slice on")
    flags = f"-I{mpi_include} -include {os.path.join(HERE, 'mpi-contracts.h')}"
    with tempfile.TemporaryDirectory(prefix="forerun-framac-") as work:
        asked, answered = os.path.join(work, "asked.json"), os.path.join(work, "asked.out.json")
        with open(asked, "w", encoding="utf-8") as file:
            json.dump(requests(source), file)
        command = [frama_c, f"-cpp-extra-args={flags}", source, *OPTIONS,
                   "-slice-calls", ",".join(sorted(calls)),
                   "-then-on", "Slicing export", "-server-batch", asked]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False, encoding="utf-8",
                                  timeout=LIMIT)
        except subprocess.TimeoutExpired as late:
            raise Refused(f"it has not ended after {LIMIT} s") from late
        wrong = [each for each in MISTAKE.findall(done.stdout) if "Undefined function" not in each]
        if wrong or not os.path.exists(answered):
            raise Refused(" ".join(wrong[0].split()) if wrong else f"exit status {done.returncode}")
        with open(answered, encoding="utf-8") as file:
            answers = {each["id"]: each for each in json.load(file)}
    return {each["sloc"]["line"] for each in answers["markers"]["data"]["updated"]
            if is_statement(each) and each["sloc"]["file"] == source}


def is_statement(marker):
    """Whether a statement is the program's own. Blocks, returns without a value, and statements
    that only carry a label are Frama-C's."""
    return marker["kind"] == "statement" and not OWN.match(marker["descr"])
