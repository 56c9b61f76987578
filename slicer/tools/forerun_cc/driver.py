# SPDX-License-Identifier: Apache-2.0
"""The command itself."""
import os
import shutil
import subprocess
import sys
import tempfile

from . import inputs, program, record
from .command import Command
from .files import captured, shown
from .inputs import Found, Problem

# Options that only ask something: nothing is compiled.
QUESTIONS = {"-show", "-compile_info", "-compile-info", "-link_info", "-link-info", "-help",
             "--help", "--version"}


class Tools:
    """Where everything is. `home` is the directory that relative paths start from."""

    def __init__(self, home, slicer, libraries, includes):
        self.mpicc = find_mpicc()
        self.slicer = os.environ.get("FORERUN_SLICE") or os.path.join(home, slicer)
        self.slicer_options = slicer_options()
        self.is_strict = os.environ.get("FORERUN_CC_STRICT", "0") not in ("", "0")
        self.libraries = [os.path.normpath(os.path.join(home, path)) for path in libraries]
        self.includes = [os.path.normpath(os.path.join(home, path)) for path in includes]


def slicer_options():
    """The slicer's options that the environment sets."""
    files = os.environ.get("FORERUN_CC_MODELS", "").split(":")
    options = [f"--models={file}" for file in files if file]
    if budget := os.environ.get("FORERUN_CC_BUDGET"):
        options.append(f"--budget={budget}")
    return options


def find_mpicc():
    """$FORERUN_MPICC, or the first mpicc in the path that is not this program by another name."""
    def is_other(path):
        return path and os.path.realpath(path) != os.path.realpath(sys.argv[0])

    if chosen := os.environ.get("FORERUN_MPICC"):
        if not is_other(path := shutil.which(chosen)):
            end(f"FORERUN_MPICC is '{shown(chosen)}', which is no compiler")
        return os.path.abspath(path)
    for name in ("mpicc.mpich", "mpicc"):
        for directory in os.get_exec_path():
            if is_other(path := shutil.which(os.path.join(directory, name))):
                return os.path.abspath(path)
    end("there is no mpicc in the path; FORERUN_MPICC can name it")


def end(message):
    sys.exit(f"forerun-cc: error: {message}")


def calling(call, tools, arguments, **options):
    """Has `call` run mpicc, which may be a file that the system cannot run."""
    try:
        return call([tools.mpicc, *arguments], **options)
    except OSError as problem:
        end(f"cannot run {shown(tools.mpicc)}: {problem.strerror}")


def compile_objects(tools, asked, arguments):
    """-c: mpicc makes the objects, and each gets a record."""
    records = []
    for source in asked.sources:
        try:
            records.append((record.Record.of(source, asked.flags()), asked.object_of(source)))
        except OSError:
            pass  # no file, or one that cannot be read again; mpicc will say what is wrong
    status = calling(subprocess.run, tools, arguments, check=False).returncode
    if status == 0 and not asked.is_instrumented:
        for made, path in records:
            record.attach(made, path)
    return status


def link_program(tools, asked, arguments):
    """mpicc makes the program; then the same program gets a pre-execution thread, if there is
    anything to slice."""
    with tempfile.TemporaryDirectory(prefix="forerun-cc-") as work:
        found = Found()
        for source in asked.sources:
            found.take_source(source, asked.flags())
        for source in asked.foreign_sources:
            found.refuse(source, "it is no C source")
        done = calling(captured, tools, [*arguments, "-Wl,-t,-t"])
        objects, members, other = inputs.traced_files(done.stdout)
        text = done.stdout if asked.is_traced else "".join(line + "\n" for line in other)
        print(text, end="", flush=True)
        output = asked.output or "a.out"
        if done.returncode != 0 or not os.path.isfile(output):
            return done.returncode
        if asked.is_instrumented or not program.reads_by_mpi(output):
            return 0
        maker = program.Maker(tools, asked, work)
        if once := [each for each in asked.inputs if not os.path.isfile(each)]:
            return leave(tools, Problem(f"{once[0]} is no file that can be read again"), output)
        try:
            inputs.take_objects(found, objects, members, work)
            inputs.assign_to_thin_archives(objects, found.units, asked.inputs)
            tell_refused(found, tools.is_strict)
            maker.make(found.units, output)
        except (Problem, OSError, ValueError, KeyError, subprocess.CalledProcessError) as problem:
            return without_slice(maker, problem, output)
    return 0


def tell_refused(found, is_strict):
    """Warns of what has no part in pre-execution, or raises Problem if nothing else is left."""
    reasons = found.reasons()
    if reasons and (is_strict or not found.units):
        raise Problem("; ".join(reasons))
    if not found.units:
        raise Problem("no C source in it was compiled by forerun-cc")
    for each in reasons:
        print(f"forerun-cc: warning: left out of pre-execution: {shown(each)}", file=sys.stderr)


def leave(tools, problem, output):
    """No build fails because of us, unless the user wants it to: a warning, and the program stays
    as it is; or an error. Returns the exit status."""
    strict = tools.is_strict
    details = problem.args[1] if isinstance(problem, Problem) and len(problem.args) > 1 else ""
    print(details, end="", file=sys.stderr)
    reason = problem.args[0] if isinstance(problem, Problem) else str(problem)
    severity = "error" if strict else "warning"
    print(f"forerun-cc: {severity}: {shown(output)} has no pre-execution thread: {shown(reason)}",
          file=sys.stderr)
    if strict:
        os.remove(output)
        return 1
    return 0


def without_slice(maker, problem, output):
    """The program gets Forerun's libraries only."""
    status = leave(maker.tools, problem, output)
    if status == 0:
        try:
            maker.link_with([], {}, output)
        except (Problem, OSError):
            pass  # then the program stays as mpicc made it
    return status


def restore_locale():
    """In the locale C, Python puts LC_CTYPE=C.UTF-8 into the environment (PEP 538): the compiler
    would print other quotation marks than without us."""
    with open("/proc/self/environ", "rb") as given:
        if not any(each.startswith(b"LC_CTYPE=") for each in given.read().split(b"\0")):
            os.environ.pop("LC_CTYPE", None)


def main(home, slicer, libraries, includes):
    restore_locale()
    if sys.stderr is not None:  # messages of compilers, whatever their bytes
        sys.stderr.reconfigure(errors="surrogateescape")
    arguments = sys.argv[1:]
    tools = Tools(home, slicer, libraries, includes)
    asked = Command(arguments)
    is_question = any(argument in QUESTIONS for argument in arguments)
    if asked.makes_objects and asked.sources and not is_question:
        return compile_objects(tools, asked, arguments)
    if asked.makes_program and not is_question:
        return link_program(tools, asked, arguments)
    return calling(lambda words: os.execv(words[0], words), tools, arguments)
