# SPDX-License-Identifier: Apache-2.0
"""The one way in which these scripts give up."""

import signal
import sys


class Failure(Exception):
    """An error whose text is all that the user sees."""

    status = 1


class Misuse(Failure):
    """A command line that means nothing."""

    status = 2


def run_script(name, main):
    """Calls main(). A failure or an interruption ends the script with one line; a terminated script
    also exits cleanly, so that it stops its bed and ends its programs."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except KeyboardInterrupt:
        sys.exit(f"{name}: interrupted")
