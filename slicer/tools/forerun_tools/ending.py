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


def run(name, main, cleans_up=False):
    """Exits with what `main()` returns; a Failure is told on standard error, with status 2. If the
    tool has something to clean up, an interrupt reaches `main` as KeyboardInterrupt; else it ends
    the tool at once. If the signal was ignored when the tool was started, it still is."""
    try:
        if not cleans_up and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGINT)
        try:
            status = main()
        except SystemExit as asked:  # --help, for example
            status = asked.code
        show()
    except Failure as failure:
        print(f"{name}: error: {failure}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        status = 130
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
