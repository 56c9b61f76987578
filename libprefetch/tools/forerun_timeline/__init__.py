# SPDX-License-Identifier: Apache-2.0
"""forerun-plot-timeline: a trace of FORERUN_TRACE as a picture.

    trace   --trace----> spans, by rank and kind
    spans   --spans----> boxes: what of the spans can be seen
    boxes   --picture--> the picture
"""
