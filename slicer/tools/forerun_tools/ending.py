# SPDX-License-Identifier: Apache-2.0
"""How a tool ends: with one line for what went wrong, and without a word when it is interrupted.

A tool is started with SIGINT blocked (its first line: `env --block-signal=INT`), since Python
answers an interrupt with a traceback as long as no code of ours can catch it: while it starts, and
while our modules are imported. `run` lets the signal through."""
import contextlib
import os
import signal
import sys
import tempfile
import threading

from .failure import Failure

SIGINT = {signal.SIGINT}
# Every signal that ends a process unless it is caught. Not those that cannot be, or end none; nor
# those that tell of a fault, after which no handler in Python would run; nor those of which Python
# makes an error of the write.
ENDING = signal.valid_signals() - {
    signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT,
    signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH,
    signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS,
    signal.SIGPIPE, signal.SIGXFSZ}


class Interrupted(KeyboardInterrupt):
    """One of these signals has come."""

    def __init__(self, number):
        super().__init__()
        self.number = number


class Interrupting:
    """The handler of these signals. The first of them counts: what then cleans up is not
    interrupted. It stays the handler all the same: without one, Python would complain of a signal
    that came together with the first."""

    def __init__(self):
        self.number, self.holds = None, 0

    def __call__(self, number, _):
        if self.number is None:
            self.number = number
            if self.holds == 0:
                raise Interrupted(number)


INTERRUPTING = Interrupting()


@contextlib.contextmanager
def held():
    """Nothing interrupts what is done meanwhile, but its end: what is begun here can be cleaned up
    there. Other threads than the main one are never interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = INTERRUPTING.number
    INTERRUPTING.holds += 1
    try:
        yield
    finally:
        INTERRUPTING.holds -= 1
        if INTERRUPTING.number != before and INTERRUPTING.holds == 0:
            raise Interrupted(INTERRUPTING.number)


@contextlib.contextmanager
def temporary_directory(**options):
    """Its path; it is gone afterwards, whenever a signal comes."""
    with held():
        made = tempfile.TemporaryDirectory(**options)
    try:
        yield made.name
    finally:
        with held():
            made.cleanup()


@contextlib.contextmanager
def caught(handler):
    """These signals come to the handler, but for those that were ignored when the tool was started;
    afterwards none comes: Python's own end would tell of it."""
    try:
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGINT)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)


def run(name, main, cleans_up=False):
    """Exits with what `main()` returns; a Failure is told on standard error, with status 2. If the
    tool has something to clean up, each signal that asks it to end reaches `main` as
    KeyboardInterrupt; else it ends the tool at once."""
    try:
        with caught(INTERRUPTING if cleans_up else signal.SIG_DFL):
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
