# SPDX-License-Identifier: Apache-2.0
"""The command itself."""
import contextlib
import os
import re
import shutil
import stat
import sys

from forerun_tools import children, ending

from . import inputs, interface, timestamps, prerequisites, program, record, start
from .command import Command
from .files import captured, shown
from .inputs import Found, Problem

# Options that only print information: nothing is compiled; and prefixes of such options.
QUESTIONS = {"-show", "-compile_info", "-compile-info", "-link_info", "-link-info", "-help",
             "--help", "--version"}
KINDS_OF_QUESTION = ("-print-", "--print-", "-showme", "--showme")


VARIABLES = {f"FORERUN_CC_{name}" for name in ("MODELS", "BUDGET", "SLICE", "STRICT", "QUIET")}


class Tools:
    """Where everything is. `home` is the directory that relative paths start from."""

    def __init__(self, home, slicer, libraries, includes, mpi):
        self.mpicc, self.mpi = find_mpicc(), mpi
        self.slicer = os.environ.get("FORERUN_SLICE") or os.path.join(home, slicer)
        self.is_strict = is_set("FORERUN_CC_STRICT")
        self.is_quiet = is_set("FORERUN_CC_QUIET")
        self.libraries = [os.path.normpath(os.path.join(home, path)) for path in libraries]
        self.includes = [os.path.normpath(os.path.join(home, path)) for path in includes]


def is_set(name):
    return os.environ.get(name, "0") not in ("", "0")


def find_mpicc():
    """$FORERUN_MPICC, or the first mpicc in the path that is not this program under another
    name."""
    def is_other(path):
        return path and os.path.realpath(path) != os.path.realpath(sys.argv[0])

    if chosen := os.environ.get("FORERUN_MPICC"):
        if not is_other(path := shutil.which(chosen)):
            end(f"FORERUN_MPICC is '{shown(chosen)}', which is not a compiler")
        return os.path.abspath(path)
    for name in ("mpicc.mpich", "mpicc"):
        for directory in os.get_exec_path():
            if is_other(path := shutil.which(os.path.join(directory, name))):
                return os.path.abspath(path)
    end("there is no mpicc in the path; FORERUN_MPICC can name it")


def end(message):
    sys.exit(f"forerun-cc: error: {message}")


def calling(call, tools, arguments, **options):
    """Runs mpicc by `call`; mpicc may be a file that the system cannot run."""
    try:
        return call([tools.mpicc, *arguments], **options)
    except OSError as problem:
        end(f"cannot run {shown(tools.mpicc)}: {problem.strerror}")


@contextlib.contextmanager
def all_or_nothing(files):
    """What is interrupted leaves none of these files that it has written, as compilers do: a build
    that goes on would take them for finished."""
    before = {path: state_of(path) for path in files}
    try:
        yield
    except KeyboardInterrupt:
        for path, state in before.items():
            if state_of(path) not in (None, state):
                os.remove(path)
        raise


def state_of(path):
    """What changes when a file is written; None: it is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    is_file = stat.S_ISREG(status.st_mode)
    return (status.st_ino, status.st_size, status.st_mtime_ns) if is_file else None


def compile_objects(tools, asked, arguments):
    """-c: mpicc makes the objects, and each gets a record."""
    records, listening = [], prerequisites.Listening(asked)
    for source in [*asked.sources, *asked.foreign_sources]:
        try:
            made = record.Record.of(source, asked.flags(), is_c=source in asked.sources)
            records.append((made, asked.object_of(source)))
        except OSError:
            pass  # no file, or one that cannot be read again; mpicc will say what is wrong
    first = timestamps.now()
    with all_or_nothing([path for _, path in records]):
        status = calling(children.run, tools, arguments, close_fds=False,
                         env=listening.environment()).returncode
        if status != 0 or asked.is_instrumented:
            return status
        files = dict(zip(asked.sources, listening.heard()))
        for made, path in records:
            if not os.path.isfile(path):
                continue  # /dev/null keeps nothing
            try:
                made.add_files(files.get(made.name, []))
                made.epoch = timestamps.moment_in(path, first)
                record.attach(made, path)
            except Exception as problem:  # the object is as mpicc has made it
                warn(f"{path} cannot be sliced: {described(problem)}")
    return status


def leave_to_mpicc(tools, asked, arguments, why):
    """Whatever is asked for is mpicc's alone. A program that reads, and could have had a thread,
    gets a warning that says why it has none."""
    if not asked.makes_program:
        return calling(lambda words: os.execv(words[0], words), tools, arguments)
    status = calling(children.run, tools, arguments, close_fds=False).returncode
    output = asked.output or "a.out"
    if status == 0 and os.path.isfile(output) and program.reads_files(output):
        return leave(tools, Problem(why), output)
    return status


def link_program(tools, asked, arguments):
    """Has mpicc make the program; then the program gets a pre-execution thread, if there is
    anything to slice."""
    found = Found()
    for source in asked.sources:
        found.take_source(source, asked.flags())
    for source in asked.foreign_sources:
        found.refuse(source, "not a C source file")
    first = timestamps.now()
    output = asked.output or "a.out"
    if os.path.islink(output) and not os.path.exists(output):
        output = os.path.realpath(output)  # mpicc writes what the link names
    with all_or_nothing([output]):
        status, trace = first_link(tools, asked, arguments)
        if status != 0 or not os.path.isfile(output) or asked.is_instrumented:
            return status
        try:
            for unit in found.units:
                unit.record.epoch = timestamps.moment_in(output, first)
            with ending.temporary_directory(prefix="forerun-cc-") as work:
                return give_thread(program.Maker(tools, asked, work), found, trace, output)
        except Exception as problem:  # the program is as mpicc has made it
            return leave(tools, problem, output)


def give_thread(maker, found, trace, output):
    """Gives the program that mpicc has made its pre-execution thread, or says why it has none.
    Returns the exit status."""
    tools, asked = maker.tools, maker.asked
    if not program.reads_files(output):
        tell_of_library(tools, output)
        return 0
    if (once := asked.named_once()) is not None:
        return leave(tools, Problem(f"{once} is not a file that can be read again"), output)
    try:
        objects, members, _ = inputs.traced_files(maker.trace() if trace is None else trace)
        inputs.take_objects(found, objects, members, maker.work)
        inputs.assign_to_thin_archives(objects, found.units, maker.placing.named)
        found.take_out(maker.placing.refusal)
        found.take_out_repeated()
        if who := start.main_of_cxx(objects, found.units, asked.foreign_sources):
            raise Problem(f"its main is C++ ({who}), and only programs whose main is C are sliced; "
                          "reads can be prefetched by hand")
        tell_refused(found, tools.is_strict)
        if who := start.stranger(output, objects, found.units, asked.linker_words):
            raise Problem(f"MPI_Init, where pre-execution would start, is that of {who}")
        made = maker.make(found.units, output, found.foreign)
        made.expect_modules(tools.libraries)
        if tools.is_strict and made.reads()[1] == 0:
            raise Problem(made.reason(found.foreign))
        tell(tools, output, made)
        return 0
    except Exception as problem:
        return without_slice(maker, problem, output)


def first_link(tools, asked, arguments):
    """Makes the program as mpicc does; arguments may name inherited descriptors (/dev/fd/63).
    Returns the exit status and the files that the linker used, or None for the files if the
    linker's output is meant for the user."""
    if asked.asks_linker:
        done = calling(captured, tools, arguments, close_fds=False)
        # A linker map names all sections.
        lines = [line for line in done.stdout.splitlines(keepends=True)
                 if not line.startswith(f" {record.SECTION} ")]
        print("".join(lines), end="", flush=True)
        return done.returncode, None
    done = calling(captured, tools, [*arguments, inputs.TRACE], close_fds=False)
    _, _, other = inputs.traced_files(done.stdout)
    print("".join(line + "\n" for line in other), end="", flush=True)
    return done.returncode, done.stdout


def tell(tools, output, sliced):
    """What the slicer warns of, and the one line at the link of each program that reads."""
    for each in sliced.warnings:
        warn(each)
    for library in program.parts_without_twin(output):
        warn(f"{library} is linked statically: the pre-execution thread ends where it is called")
    if not tools.is_quiet:
        say(f"{shown(output)}: {sliced.line()}")


def tell_of_library(tools, output):
    """The same line for a program whose reads are not visible: Fortran's, or a library's."""
    if not tools.is_quiet and program.is_fortran_that_reads(output):
        say(f"{shown(output)}: nothing runs ahead: its main is Fortran, and only programs whose "
            "main is C are sliced")
    elif not tools.is_quiet and (library := program.library_that_reads(output)):
        say(f"{shown(output)}: nothing runs ahead: it reads through {library}, and only calls of "
            "MPI-IO, HDF5, netCDF and PnetCDF are prefetched")


def tell_refused(found, is_strict):
    """Warns of what is left out of pre-execution, or raises Problem if nothing else remains."""
    reasons = found.reasons()
    if reasons and (is_strict or not found.units):
        raise Problem("; ".join(reasons))
    if not found.units:
        raise Problem("no C source in it was compiled by forerun-cc")
    for each in reasons:
        warn(f"left out of pre-execution: {each}")


def warn(message):
    say(f"warning: {shown(message)}")


def say(message):
    """On standard error, if there is one."""
    if sys.stderr is not None:
        print(f"forerun-cc: {message}", file=sys.stderr)


def described(problem):
    """What went wrong, in one line; an unexpected exception is named with its type."""
    if isinstance(problem, Problem):
        return problem.args[0]
    return f"{type(problem).__name__}: {problem}"


def leave(tools, problem, output):
    """No build fails because of us unless the user wants it to: prints a warning and leaves the
    program as it is, or prints an error. Returns the exit status."""
    details = problem.args[1] if isinstance(problem, Problem) and len(problem.args) > 1 else ""
    severity = "error" if tools.is_strict else "warning"
    if sys.stderr is not None:  # a build that succeeds has no errors
        print(re.sub(r"\berror: ", f"{severity}: ", details), end="", file=sys.stderr)
    say(f"{severity}: {shown(output)} has no pre-execution thread: {shown(described(problem))}")
    if tools.is_strict:
        os.remove(output)
        return 1
    return 0


def without_slice(maker, problem, output):
    """Links the program with Forerun's libraries only, if possible."""
    status = leave(maker.tools, problem, output)
    if status == 0:
        with contextlib.suppress(Exception):
            maker.link_with([], {}, output)
    return status


def restore_locale():
    """In the C locale, Python adds LC_CTYPE=C.UTF-8 to the environment (PEP 538): the compiler
    would then print different quotation marks than without us."""
    with open("/proc/self/environ", "rb") as given:
        if not any(each.startswith(b"LC_CTYPE=") for each in given.read().split(b"\0")):
            os.environ.pop("LC_CTYPE", None)


def tell_of_both(tools, arguments, text):
    """What mpicc says comes first: build systems identify the compiler this way. SCons takes the
    first number of the first line for its version, Meson (of Clang) that of all lines; both would
    otherwise take Forerun's version."""
    status = calling(children.run, tools, arguments, close_fds=False).returncode
    if status == 0:
        print(text)
    return status


def main(home, slicer, libraries, includes, mpi, version, about):
    restore_locale()
    if sys.stderr is not None:  # messages of compilers, whatever their bytes
        sys.stderr.reconfigure(errors="surrogateescape")
    arguments = sys.argv[1:]
    tools = Tools(home, slicer, libraries, includes, mpi)
    for name in os.environ:
        if name.startswith("FORERUN_CC_") and name not in VARIABLES:
            warn(f"{name}: there is no such variable; see forerun-cc --help")
    try:
        asked = Command(arguments)
    except Exception as problem:
        warn(f"the program is mpicc's alone: {described(problem)}")
        asked = Command([])
    is_question = any(argument in QUESTIONS or argument.startswith(KINDS_OF_QUESTION)
                      for argument in arguments)
    if "--version" in arguments:
        return tell_of_both(tools, arguments, f"forerun-cc (Forerun) {version}")
    if arguments == ["--help"]:
        return tell_of_both(tools, arguments, f"\n{about}")
    makes = (asked.makes_objects or asked.makes_program) and not is_question
    if makes and (why := interface.stranger(tools.mpicc, tools.mpi)):
        return leave_to_mpicc(tools, asked, arguments, why)
    if asked.makes_objects and not is_question:
        return compile_objects(tools, asked, arguments)
    if asked.makes_program and not is_question:
        return link_program(tools, asked, arguments)
    return calling(lambda words: os.execv(words[0], words), tools, arguments)
