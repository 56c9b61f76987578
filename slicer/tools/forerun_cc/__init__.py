# SPDX-License-Identifier: Apache-2.0
"""forerun-cc: mpicc that gives programs their pre-execution thread.

    command line --command--> what is asked for
    compiling:   mpicc, then --record--> the object remembers how it was made
    linking:     mpicc, whose linker tells --inputs--> which recorded objects make the program
                 --program--> sliced as one, compiled again, linked in place of the first result

Whatever goes wrong on our side, what mpicc has made stays.
"""
