# SPDX-License-Identifier: Apache-2.0
"""What a file of Forerun's is, told from its beginning: it may be long, or cut off."""
import re

LOOKED_AT = 4096  # characters
TIMELINE = re.compile(r'\s*\{[^{}\[\]]*"traceEvents"\s*:')
REPORT = re.compile(r'\s*\{[^{}\[\]]*"elapsed_seconds"\s*:')


def is_timeline(text):
    """Whether FORERUN_TRACE writes what begins like this."""
    return TIMELINE.match(text[:LOOKED_AT]) is not None


def is_report(text):
    """Whether FORERUN_REPORT writes what begins like this."""
    return REPORT.match(text[:LOOKED_AT]) is not None
