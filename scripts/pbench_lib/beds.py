# SPDX-License-Identifier: Apache-2.0
"""Where the matrix lies: the built-in test bed, or a directory as it is."""

import os
import shutil
import tempfile
from pathlib import Path

from . import processes
from .failure import Failure


class ModelBed:
    """The FUSE test bed with its timing model. A context manager: it is stopped at the end."""

    note = ""
    direct = False  # every read meets the model anyway

    def __init__(self, program, latency, scratch):
        self.name = f"model-{latency}"
        self._program = program
        self._latency = latency
        self._backing = scratch / "backing"
        self._mount = scratch / "mount"

    def __enter__(self):
        self._backing.mkdir(exist_ok=True)
        self._mount.mkdir(exist_ok=True)
        self._start()
        return self

    def __exit__(self, *_):
        processes.run([self._program, "stop", self._mount])

    def _start(self, *options):
        processes.run([self._program, "start", "--latency", self._latency, *options, self._backing,
                       self._mount])

    def forget(self, kernel_cache=False):
        """An idle bed with nothing in any cache. `kernel_cache`: for programs that rely on the
        kernel's page cache, which the bed otherwise leaves out."""
        processes.run([self._program, "stop", self._mount])
        self._start(*(["--kernel-cache"] if kernel_cache else []))

    def matrix(self, n):
        return self._mount / f"matrix-{n}"

    def matrix_to_make(self, n):
        """Made without the delay."""
        return self._backing / f"matrix-{n}"


class PlainBed:
    """A directory as it is: the user's, or a scratch one where FUSE is not to be had."""

    direct = True

    def __init__(self, name, note, scratch):
        self.name = name
        self.note = (f"Storage: {note}. Prefetches and the bound use O_DIRECT; the original reads "
                     "through a page cache that is dropped before each run.")
        self._scratch = scratch

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def forget(self, kernel_cache=False):
        del kernel_cache  # the kernel caches here in any case
        for path in self._scratch.glob("matrix-*"):
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        try:
            Path("/proc/sys/vm/drop_caches").write_text("1")
        except OSError:
            pass  # the file's own pages are gone; the rest is the machine's business

    def matrix(self, n):
        return self._scratch / f"matrix-{n}"

    matrix_to_make = matrix


def scratch_directory(settings):
    """A directory with room for the matrices, in the user's bed if there is one; removed when the
    context ends."""
    place = settings.bed.resolve() if settings.bed else tempfile.gettempdir()
    need = max(settings.sizes) ** 2 * 8 * 3 // 2
    if shutil.disk_usage(place).free < need:
        raise Failure(f"{place} has less than {need >> 20} MiB free; set TMPDIR to another place")
    try:
        return tempfile.TemporaryDirectory(prefix="forerun-pbench-", dir=place)
    except OSError as error:
        raise Failure(str(error)) from error


def beds(settings, programs, scratch):
    """The beds to run on, one after the other."""
    if settings.bed is not None:
        return [PlainBed(settings.bed.resolve().name, f"the directory {settings.bed}", scratch)]
    if programs.testbed is None or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return [PlainBed("plain", "a plain directory, because there is no FUSE here", scratch)]
    return [ModelBed(programs.testbed, latency, scratch) for latency in settings.latency]
