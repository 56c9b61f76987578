# SPDX-License-Identifier: Apache-2.0
"""Response files (@file), by the rules of GNU programs: words are separated by white space; quotes
of both kinds and backslashes quote, and an unclosed quote ends with the file."""
import os

from .files import open_regular


def split(text):
    """The words of a text."""
    result, word, quote, is_escaped = [], None, None, False
    for each in text:
        if is_escaped:
            word, is_escaped = (word or "") + each, False
        elif each == "\\":
            word, is_escaped = word or "", True
        elif quote:
            if each == quote:
                quote = None
            else:
                word += each
        elif each in "'\"":
            word, quote = word or "", each
        elif each.isspace():
            if word is not None:
                result.append(word)
            word = None
        else:
            word = (word or "") + each
    return result if word is None else [*result, word]


def words_of(path):
    """The words in a file; OSError if it is not a regular file."""
    with open_regular(path) as file:
        return split(os.fsdecode(file.read()))


def write(words, path):
    """Writes a file that holds these words."""
    with open(path, "wb") as file:
        for word in words:
            quoted = "".join(f"\\{each}" if each.isspace() or each in "'\"\\" else each
                             for each in word)
            file.write(os.fsencode(quoted or "''") + b"\n")
