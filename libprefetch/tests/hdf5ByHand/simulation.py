# SPDX-License-Identifier: Apache-2.0
"""What the program of docs/hdf5.md computes, here: as simulation.f90."""
import time

has_waited = []


def compute(values):
    time.sleep(0.2 if has_waited else 1)
    has_waited.append(True)
    print("sum", int(sum(values)))
