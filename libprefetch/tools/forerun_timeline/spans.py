# SPDX-License-Identifier: Apache-2.0
"""What can be seen of the events. The number of boxes depends on the size of the picture rather
than on that of the trace: spans of a kind and a lane that overlap as they are drawn are one box."""


def end_ms(ranks):
    """When the last event ends."""
    import numpy
    return max((numpy.frombuffer(each.begins) + numpy.frombuffer(each.durations)).max()
               for kinds in ranks.values() for each in kinds.values()) / 1000


def boxes(band, height, least_ms):
    """For each kind of a band: a row of begin, end (in milliseconds), top and bottom for each box.
    The lanes of all kinds share the height."""
    import numpy
    if not band:
        return {}
    lanes = numpy.unique(numpy.concatenate([numpy.frombuffer(each.lanes, dtype="q")
                                            for each in band.values()]))
    return {name: boxes_of(each, lanes, height / len(lanes), least_ms)
            for name, each in band.items()}


def boxes_of(spans, lanes, height, least_ms):
    import numpy
    begins = numpy.frombuffer(spans.begins) / 1000
    ends = begins + numpy.maximum(numpy.frombuffer(spans.durations) / 1000, least_ms)
    lane = numpy.searchsorted(lanes, numpy.frombuffer(spans.lanes, dtype="q"))
    order = numpy.lexsort((begins, lane))
    begins, ends, lane = begins[order], ends[order], lane[order]
    # Lanes one after the other, so that none overlaps another.
    shift = lane * (ends.max() - begins.min() + 1)
    reached = numpy.maximum.accumulate(ends + shift)
    first = numpy.flatnonzero(numpy.append(True, (begins + shift)[1:] > reached[:-1]))
    last = numpy.append(first[1:], len(begins)) - 1
    top = lane[first] * height
    return numpy.stack([begins[first], (reached - shift)[last], top, top + 0.9 * height], 1)
