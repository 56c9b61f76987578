# SPDX-License-Identifier: Apache-2.0
"""How a tool ends: with one line for what went wrong, and without a word when it is interrupted.

A tool is started with SIGINT blocked (its first line: `env --block-signal=INT`), since Python
answers an interrupt with a traceback as long as no code of ours can catch it: while it starts, and
while our modules are imported. `run` lets the signal through."""
import os
import signal
import sys

from .failure import Failure

SIGINT = {signal.SIGINT}
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """One of these signals has come."""

    def __init__(self, number):
        super().__init__()
        self.number = number


def interrupt(number, _):
    """The first of them counts: what then cleans up is not interrupted."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise Interrupted(number)


def run(name, main, cleans_up=False):
    """Exits with what `main()` returns; a Failure is told on standard error, with status 2. If the
    tool has something to clean up, each signal that asks it to end reaches `main` as
    KeyboardInterrupt; else it ends the tool at once. Those that were ignored when the tool was
    started still are."""
    try:
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, interrupt if cleans_up else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGINT)
        try:
            status = main()
        except SystemExit as asked:  # --help, for example
            status = asked.code
        show()
    except Failure as failure:
        print(f"{name}: error: {failure}", file=sys.stderr)
        status = 2
    except Interrupted as by:
        status = 128 + by.number
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGINT)  # Python's own end would tell of it
    sys.exit(status)


def show(*lines):
    """Prints to standard output, if there is one; whoever reads may stop, as head does."""
    if sys.stdout is None:
        return
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python's end tries again
        raise Failure(f"cannot write the output: {problem.strerror}") from problem
