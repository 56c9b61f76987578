# SPDX-License-Identifier: Apache-2.0
"""forerun-cc: mpicc that gives programs their pre-execution thread.

    command line --command--> what is asked for
    compiling:   mpicc, then --record--> the object remembers how it was compiled
    linking:     mpicc, whose linker tells --inputs--> which recorded objects make up the program
                 --program--> sliced as a whole, compiled again, linked in place of the first result

Whatever goes wrong on our side, the program that mpicc has made stays.
"""
