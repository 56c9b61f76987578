# SPDX-License-Identifier: Apache-2.0
"""forerun-check: does a program behave the same with its pre-execution thread, and what does that
thread announce?

    command line --commandline--> settings
    sources      --build-------> the program as mpicc makes it, and as forerun-cc makes it
    programs     --launch------> outcomes: output, exit status, files left behind
    outcomes     --compare-----> differences, and what is set aside; --lines-- says what is alike
    outcomes     --check-------> runs: these, and figures that --logs-- reads in the logs of
                                 FORERUN_CHECK
    runs         --report------> text or JSON, exit status

With --time, --timing-- makes the runs and shows what they took; --caches-- clears before each.
"""
