# SPDX-License-Identifier: Apache-2.0
"""Storage for the files that are read: the built-in test bed, or a directory as it is."""

import os
import shutil
import tempfile
from pathlib import Path

from . import memory, processes
from .failure import Failure


class ModelBed:
    """The FUSE test bed with its timing model. A context manager, which stops it at the end."""

    note = ""
    direct = False  # every read meets the model anyway
    options = ()    # of the model, more

    def __init__(self, program, latency, scratch):
        self.name = f"model-{latency}"
        self._program = program
        self._latency = latency
        self._backing = scratch / "backing"
        self._mount = scratch / "mount"
        self._is_started = False

    def __enter__(self):
        self._backing.mkdir(exist_ok=True)
        self._mount.mkdir(exist_ok=True)
        self._start()
        return self

    def __exit__(self, *_):
        if self._is_started:  # else its start has failed, and that is told
            self._stop()

    def _start(self, *options):
        processes.run([self._program, "start", "--latency", self._latency, *self.options, *options,
                       self._backing, self._mount])
        self._is_started = True

    def _stop(self):
        self._is_started = False
        processes.run([self._program, "stop", self._mount])

    def forget(self, kernel_cache=False):
        """Restores the state in which every run starts: an idle bed, empty caches, memory at hand.
        `kernel_cache`: for programs that rely on the kernel's page cache, which the bed otherwise
        bypasses."""
        self._stop()
        self._start(*(["--kernel-cache"] if kernel_cache else []))
        memory.warm()

    def file(self, name):
        return self._mount / name

    def file_to_make(self, name):
        """The same file, without the bed's delay."""
        return self._backing / name

    def delivered(self):
        """Bytes read from it since it was last told to forget."""
        counters = (self._mount / ".forerun-testbed").read_text().splitlines()
        return next(int(line.split()[1]) for line in counters if line.startswith("read_bytes "))


class PlainBed:
    """A directory as it is: the user's, or a scratch one where FUSE is not available."""

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
        for path in filter(Path.is_file, self._scratch.iterdir()):
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        try:
            Path("/proc/sys/vm/drop_caches").write_text("1")
        except OSError:
            pass  # only root may drop the whole cache; the files' own pages are gone
        memory.warm()

    def file(self, name):
        return self._scratch / name

    file_to_make = file


def scratch_directory(bed, need):
    """A directory with room for `need` bytes, in the user's bed if there is one; removed when the
    context ends."""
    place = bed.resolve() if bed else tempfile.gettempdir()
    if shutil.disk_usage(place).free < need:
        raise Failure(f"{place} has less than {need >> 20} MiB free; set TMPDIR to another place")
    try:
        return tempfile.TemporaryDirectory(prefix="forerun-pbench-", dir=place)
    except OSError as error:
        raise Failure(str(error)) from error


def beds(settings, testbed, scratch):
    """The beds to run on, one after the other; `testbed`: the program, or None."""
    if settings.bed is not None:
        return [PlainBed(settings.bed.resolve().name, f"the directory {settings.bed}", scratch)]
    if testbed is None or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return [PlainBed("plain", "a plain directory, because FUSE is not available", scratch)]
    return [ModelBed(testbed, latency, scratch) for latency in settings.latency]
