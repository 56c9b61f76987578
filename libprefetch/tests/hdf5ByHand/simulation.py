# SPDX-License-Identifier: Apache-2.0
"""What the program of docs/hdf5.md computes, here: as simulation.f90."""
import os
import time

has_waited = []


def compute(values):
    time.sleep(0.2 if has_waited else 1)
    has_waited.append(True)
    os.write(1, f"sum {int(sum(values))}\n".encode())  # in one write: ranks print at the same time
