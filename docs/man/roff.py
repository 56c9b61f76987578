# SPDX-License-Identifier: Apache-2.0
"""What comments and documents say, as roff."""

import re


def roff(text):
    """Text as roff: `code` and **terms** bold, *emphasis* italic, links without their targets."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    text = re.sub(r"(?<![\w*])\*\*([^*\s][^*]*)\*\*(?!\w)", r"\\fB\1\\fR", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", r"\\fI\1\\fR", text)
    return re.sub(r"^([.'])", r"\\&\1", text)
