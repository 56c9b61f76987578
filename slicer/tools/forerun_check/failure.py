# SPDX-License-Identifier: Apache-2.0
"""The one way in which this tool gives up."""


class Failure(Exception):
    """Something the user has to know; its text is all that is shown, on one line."""
