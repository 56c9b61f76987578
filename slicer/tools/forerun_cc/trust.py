# SPDX-License-Identifier: Apache-2.0
"""What is accepted from a record. An object may come from anybody, and so may the contents of its
record; linking it must neither run a program nor write a file that is named there."""
import os
import re

# Harmless flags determine what a source means, or how it is compiled. They name no program, and no
# file to be written. (mpicc itself has options that do: -cc=..., -config=..., -profile=...)
VALUE = r"[\w.,:+-]*"
HARMLESS = re.compile("|".join((
    r"-[DUI].+", r"-(isystem|iquote|idirafter).+", r"-Wp(,-[DU]\w+(=[\w.]*)?)+",
    r"-(undef|nostdinc|trigraphs|H)", r"--?(std=[\w:+]+|ansi|pedantic(-errors)?)",
    r"-w", r"-W[\w+-]*(=[\w.+-]+)?", r"-Wa,--noexecstack",
    r"-O([0-3sgz]|fast)?", r"-(p|pg|pipe|pthread)",
    r"-g([0-3]|gdb[0-3]?|stabs[0-3+]?|dwarf(-[2-5]|32|64)?|z(=\w+)?|(no-)?(strict-dwarf|pubnames|"
    r"record-gcc-switches|column-info|statement-frontiers|variable-location-views))?",
    r"-m(?!llvm)[\w.-]+(=" + VALUE + ")?", r"--param=[\w-]+=\d+",
    # A name without a value names no file; but these read or write files beside others, or make no
    # object.
    r"-f(?!plugin|dump|profile|auto-profile|module|self-test|compare-debug|syntax-only|"
    r"preprocessed|directives-only|callgraph-info|save-optimization)[\w-]+",
    r"-f(debug|file|macro)-prefix-map=.+",
    r"-f(abi-version|align-(functions|jumps|labels|loops)|cf-protection|diagnostics-color|"
    r"excess-precision|exec-charset|fp-contract|fp-model|inline-limit|input-charset|ira-algorithm|"
    r"ira-region|lifetime-dse|live-patching|lto|lto-compression-level|lto-partition|max-errors|"
    r"message-length|pack-struct|patchable-function-entry|random-seed|reorder-blocks-algorithm|"
    r"(no-)?sanitize|(no-)?sanitize-recover|simd-cost-model|sso-struct|stack-check|"
    r"stack-limit-(register|symbol)|stack-reuse|tabstop|tls-model|tree-parallelize-loops|"
    r"trivial-auto-var-init|vect-cost-model|visibility|wide-exec-charset|zero-call-used-regs)="
    + VALUE,
    # These have no effect if nothing is linked.
    r"-(s|pie|no-pie|rdynamic|static|static-libgcc|nodefaultlibs)",
)), re.DOTALL)
# Harmless with their value, which is the next argument.
WITH_VALUE = {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros",
              "--param"}


def harmful_flag(flags, directory):
    """The first of a record's flags that is not known to be harmless; None if all are. `directory`
    is where they were given."""
    rest = iter(flags)
    for flag in rest:
        if flag in WITH_VALUE:
            value = next(rest, "@")
            # Neither mpicc nor gcc knows that this is a value: each looks for its own options in
            # it, and in a file that @... names.
            is_harmless = not value.startswith(("-", "@"))
            if flag in ("-include", "-imacros"):
                is_harmless &= not is_special(value, flags, directory)
            if not is_harmless:
                return f"{flag} {value}"
        elif not HARMLESS.fullmatch(flag):
            return flag
    return None


def is_special(name, flags, directory):
    """Whether an included file, in any place where the compiler may find it, may be a device or a
    FIFO."""
    folders = [flag.removeprefix("-I") for flag in flags if flag.startswith("-I")]
    folders += [value for flag, value in zip(flags, flags[1:])
                if flag in ("-I", "-isystem", "-iquote", "-idirafter")]
    paths = [os.path.join(directory, folder, name) for folder in ("", *folders)]
    return any(os.path.exists(path) and not os.path.isfile(path) and path != os.devnull
               for path in paths)


def is_of_others(path, owner):
    """Whether a source belongs to somebody who has no right to determine the contents of an object
    of `owner`: neither that user, nor this one, nor root."""
    try:
        return os.stat(path).st_uid not in (owner, os.geteuid(), 0)
    except OSError:
        return False  # it is gone: that is reported elsewhere


def refusal(record, owner):
    """Why the record of an object that belongs to `owner` is not used; None if it is."""
    if (flag := harmful_flag(record.flags, record.directory)) is not None:
        return f"it was compiled with {flag}, which is not repeated for objects"
    if is_of_others(record.source, owner):
        return f"its source {record.source} belongs to another user"
    return None
