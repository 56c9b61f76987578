# SPDX-License-Identifier: Apache-2.0
"""Says what a tool is doing, where it takes longer than one likes to wait without a word."""
import signal
import sys
import time

PATIENCE_S = 2.0
RENEWED_S = 0.5


class Progress:
    """A line on standard error, if that is a terminal, which is renewed while the tool is at work
    and gone afterwards. SIGALRM renews it, so that it is also renewed while a child is waited for;
    there may be one at a time."""

    def __init__(self, tool):
        self.tool, self.what, self.share = tool, "", None
        self.is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self.is_shown = False

    def __enter__(self):
        if self.is_wanted:
            self.begin = time.monotonic()
            signal.signal(signal.SIGALRM, lambda *_: self.renew())
            signal.setitimer(signal.ITIMER_REAL, PATIENCE_S, RENEWED_S)
        return self

    def __exit__(self, *_):
        if self.is_wanted:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if self.is_shown:
                print("\r\033[K", end="", file=sys.stderr, flush=True)

    def doing(self, what):
        """The next step. `share`, from 0 to 1, may then be set to how much of it is done."""
        self.what, self.share = what, None

    def renew(self):
        self.is_shown = True
        done = f" {100 * self.share:.0f} %," if self.share is not None else ""
        spent = time.monotonic() - self.begin
        print(f"\r\033[K{self.tool}: {self.what},{done} {spent:.0f} s", end="", file=sys.stderr,
              flush=True)
