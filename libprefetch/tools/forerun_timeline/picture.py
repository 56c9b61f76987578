# SPDX-License-Identifier: Apache-2.0
"""Draws the picture: all ranks in one pair of axes, one below the other, and for each kind of event
one collection of outlines."""
import io

from forerun_tools.failure import Failure

from . import spans

COLOURS = {"hit": "#2060a0", "late": "#e0a030", "miss": "#c04030", "announcement": "#60a0d0",
           "prefetch": "#888888", "demand fetch": "#803020"}
BANDS = {"reads": ("hit", "late", "miss"), "issued": ("announcement",),
         "fetches": ("prefetch", "demand fetch")}
LEAST_WIDTH = 1 / 700  # of the picture: what is shorter would be invisible
DPI = 130
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 9, 0.8, 0.15, 0.4, 0.5  # inches
# Of a rank, and of all: many ranks are drawn less high, so that the picture can be opened.
RANK_INCHES, MOST_INCHES = 1.6, 100
BANDS_NAMED_FROM_INCHES = 0.7
LABEL_INCHES = 0.13
# On the vertical axis: the lanes of a band, the whole band, and the rank's name above the bands.
LANES, BAND, NAME = 7.2, 10, 6
RANK = NAME + len(BANDS) * BAND


def library():
    """matplotlib, which needs no display; Failure if it is not installed."""
    try:
        import matplotlib.backend_bases
        import matplotlib.collections
        import matplotlib.figure
        import matplotlib.patches
        import matplotlib.path
    except ImportError as missing:
        raise Failure(f"cannot draw without the package python3-matplotlib: {missing}") from missing
    return matplotlib


def known_format(name, matplotlib):
    """The format that the ending of a picture's name says; Failure if it is none."""
    known = matplotlib.backend_bases.FigureCanvasBase.get_supported_filetypes()
    ending = name.rpartition(".")[2].lower() if "." in name else "png"
    if ending not in known:
        raise Failure(f"cannot write {name}: the format is none of {', '.join(sorted(known))}")
    return ending


def drawn(ranks, matplotlib, ending):
    """The picture's bytes."""
    inches = min(RANK_INCHES, MOST_INCHES / len(ranks))
    height = TOP + inches * len(ranks) + BOTTOM
    figure = matplotlib.figure.Figure(figsize=(WIDTH, height))
    axes = figure.add_axes((LEFT / WIDTH, BOTTOM / height, 1 - (LEFT + RIGHT) / WIDTH,
                            1 - (BOTTOM + TOP) / height))
    end_ms = spans.end_ms(ranks)
    axes.set(xlim=(-0.01 * end_ms, 1.01 * end_ms), ylim=(len(ranks) * RANK, 0))
    axes.set_xlabel("milliseconds")
    name_ranks(axes, list(ranks), inches)
    outlines = {}
    for number, kinds in enumerate(ranks.values()):
        for place, names in enumerate(BANDS.values()):
            top = number * RANK + NAME + place * BAND
            band = {name: kinds[name] for name in names if name in kinds}
            for name, boxes in spans.boxes(band, LANES, end_ms * LEAST_WIDTH).items():
                outlines.setdefault(name, []).append(path(boxes, top, matplotlib.path.Path))
    for name in (each for each in COLOURS if each in outlines):  # what is bad is drawn last
        axes.add_collection(matplotlib.collections.PathCollection(
            outlines[name], facecolors=COLOURS[name], linewidths=0), autolim=False)
    shown = [matplotlib.patches.Patch(color=colour, label=name)
             for name, colour in COLOURS.items() if name in outlines]
    figure.legend(handles=shown, fontsize=8, ncols=len(shown), frameon=False, loc="upper right")
    result = io.BytesIO()
    figure.savefig(result, dpi=DPI, format=ending)
    return result.getvalue()


def name_ranks(axes, ranks, inches):
    """Names of ranks and bands, and lines between ranks; with little room, numbers only."""
    if inches >= BANDS_NAMED_FROM_INCHES:
        places = [(number * RANK + NAME + place * BAND + LANES / 2, name)
                  for number in range(len(ranks)) for place, name in enumerate(BANDS)]
        for number, rank in enumerate(ranks):
            axes.text(0, number * RANK + NAME - 1, f"rank {rank}", fontsize=9)
    else:
        every = max(1, round(LABEL_INCHES / inches + 0.5))
        places = [((number + 0.5) * RANK, f"rank {rank}")
                  for number, rank in enumerate(ranks) if number % every == 0]
    axes.set_yticks([place for place, _ in places], [name for _, name in places], fontsize=8)
    if inches >= LABEL_INCHES:
        axes.hlines([number * RANK for number in range(1, len(ranks))], 0, 1, colors="black",
                    linewidths=0.5, transform=axes.get_yaxis_transform())


def path(boxes, top, kind):
    """The boxes as one path."""
    import numpy
    left, right, upper, lower = boxes[:, 0], boxes[:, 1], top + boxes[:, 2], top + boxes[:, 3]
    corners = numpy.stack([left, upper, right, upper, right, lower, left, lower, left, upper], 1)
    steps = [kind.MOVETO, kind.LINETO, kind.LINETO, kind.LINETO, kind.CLOSEPOLY]
    return kind(corners.reshape(-1, 2), numpy.tile(steps, len(boxes)))
