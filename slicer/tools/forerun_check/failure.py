# SPDX-License-Identifier: Apache-2.0
"""The one way in which this tool gives up."""


class Failure(Exception):
    """A failure that the user has to know about; only its text is shown, on one line."""
