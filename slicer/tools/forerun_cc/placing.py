# SPDX-License-Identifier: Apache-2.0
"""Where the units of a program are on its command line. A replacement is linked exactly in the
place of its object, since order matters to the linker: for weak symbols, constructors, sets of
sections. So a member of an archive is replaced in a copy of the archive, and the copy takes the
archive's place."""
import os
import shutil

from forerun_tools import children

from . import inputs, response
from .inputs import Problem


class Placing:
    """`work` is an empty directory."""

    def __init__(self, asked, work):
        self.asked, self.work = asked, work
        os.mkdir(work)
        self.response_files = {}  # an @file of the linker: the words in it
        for word in asked.linker_words:
            if word.startswith("@") and os.path.isfile(word[1:]):
                self.response_files[word] = response.words_of(word[1:])
        self.named = {*asked.inputs, *asked.linker_words}
        for words in self.response_files.values():
            self.named.update(words)
        self.by_name = {}  # the archives that -l finds

    def refusal(self, unit):
        """Why this unit cannot be replaced; None if it can."""
        path = unit.archive or unit.path
        if path in self.named:
            return None
        name = os.path.basename(path)
        if unit.archive is None:
            return "the command line does not name it, so nothing can take its place"
        if self.by_name.setdefault(name, path) != path:
            return f"there are two archives called {name}, so nothing can take its place"
        return None

    def arguments(self, objects):
        """The arguments that link `objects`, a map from units, in place of those units: the ones
        that precede all others, and a map from names on the command line to their replacements."""
        replacements, archives = {}, {}
        for unit, made in objects.items():
            if unit.archive is None:
                replacements[unit.path] = made
            else:
                archives.setdefault(unit.archive, {})[unit.member] = made
        found_by_name = os.path.join(self.work, "lib")
        os.mkdir(found_by_name)
        for number, (archive, members) in enumerate(archives.items()):
            is_named = archive in self.named
            directory = os.path.join(self.work, str(number)) if is_named else found_by_name
            os.makedirs(directory, exist_ok=True)
            copy = os.path.join(directory, os.path.basename(archive))
            copy_with(archive, members, copy, os.path.join(self.work, "members"))
            if is_named:
                replacements[archive] = copy
        for word, words in self.response_files.items():
            if any(each in replacements for each in words):
                path = os.path.join(self.work, f"response-{len(replacements)}")
                response.write([replacements.get(each, each) for each in words], path)
                replacements[word] = f"@{path}"
        return [f"-L{found_by_name}"], replacements


def copy_with(archive, members, copy, work):
    """A copy of the archive with other objects in place of some members, in the same order."""
    if inputs.is_thin(archive):
        paths = []
        for name in inputs.member_names(archive):
            path = members.get(name) or inputs.path_of_thin(archive, name)
            if not os.path.isfile(path):
                raise Problem(f"{path}, which {archive} names, is not a regular file")
            paths.append(os.path.abspath(path))
        children.run(["ar", "qcsT", "--", copy, *paths], check=True)
        return
    shutil.copyfile(archive, copy)
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    paths = []
    for member, made in members.items():
        paths.append(os.path.join(work, member))
        os.link(made, paths[-1])
    children.run(["ar", "rs", "--", copy, *paths], check=True)
