# SPDX-License-Identifier: GPL-2.0-only
"""What every figure of the project looks like: the one style sheet.

Colours are those of Okabe and Ito, which people with any colour vision can tell apart; every line
of a figure has a line style and a marker of its own too, so that a figure survives a black and
white printer. Three sizes:

column   3.4 x 2.3 inches, 8 pt: one column of a paper; no title, since the caption is one
wide     7.0 x 3.4 inches, 9 pt: both columns of a paper, a page of a report, a notebook
slide    10 x 5.6 inches, 18 pt

The module imports nothing of the package: utils/plot.py uses it without a build of the package.
"""

import contextlib
import os
from collections.abc import Iterator, Sized
from typing import Any, Dict, List, Optional

BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK = "#E69F00", "#56B4E9", "#000000"
GREY, TEXT_GREY, GRID = "#BBBBBB", "#555555", "#DDDDDD"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK)
LINES: List[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 3))]
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
COLOUR_MAP = "Blues"  # from white, nothing, to dark, much: evenly, for every colour vision

_SHEETS = {"column": (3.4, 2.3, 8, 1.2, 3.5), "wide": (7.0, 3.4, 9, 1.4, 4.5),
           "slide": (10.0, 5.6, 18, 2.6, 9)}


def require_some(things: Sized, what: str) -> None:
    """ValueError if there is nothing to draw. things: what is drawn; what: of which kind."""
    if not len(things):
        raise ValueError(f"there is nothing to draw; give one {what} or more")


def sheet(size: str = "wide") -> Dict[str, Any]:
    """The settings of matplotlib for a size: matplotlib.rc_context(ll.plot.sheet("column"))."""
    if size not in _SHEETS:
        raise ValueError(f"size is {size!r}; it must be column, wide or slide")
    width, height, font, line, marker = _SHEETS[size]
    return {"figure.figsize": (width, height), "figure.dpi": 120, "savefig.dpi": 300,
            "figure.constrained_layout.use": True, "font.size": font,
            "axes.titlesize": font * 1.1, "axes.labelsize": font, "xtick.labelsize": font * 0.9,
            "ytick.labelsize": font * 0.9, "legend.fontsize": font * 0.9, "legend.frameon": False,
            "axes.titlelocation": "left", "axes.grid": True, "axes.axisbelow": True,
            "grid.color": GRID, "grid.linewidth": 0.4 * line, "axes.spines.top": False,
            "axes.spines.right": False, "axes.linewidth": 0.6 * line, "lines.linewidth": line,
            "lines.markersize": marker, "image.cmap": COLOUR_MAP,
            "legend.handlelength": 2.8,  # so long that line styles can be told apart
            "pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}  # text stays text


def look(index: int) -> Dict[str, Any]:
    """Colour, line style and marker of the line of this number, from 0: no two are the same in
    either until seven lines are drawn, nor in all three until 49 are."""
    turn, place = divmod(index, len(PALETTE))
    return {"color": PALETTE[place], "linestyle": LINES[(place + turn) % len(LINES)],
            "marker": MARKERS[(place + turn) % len(MARKERS)]}


def sparse(count: int, marks: int = 8, offset: int = 0) -> Any:
    """`markevery` of a line of many points: about so many markers."""
    step = max(1, count // marks)
    return (offset % step, step)


@contextlib.contextmanager
def figure(axes: Any, size: Optional[str], title: str, xlabel: str, ylabel: str) -> Iterator[Any]:
    """Axes to draw on: new ones of a size, or those that are given, which stay as they are."""
    with panels(axes, size, 1) as (axes,):
        if size != "column":
            axes.set_title(title)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        yield axes


@contextlib.contextmanager
def panels(axes: Any, size: Optional[str], count: int, below: bool = False,
           **options: Any) -> Iterator[List[Any]]:
    """Axes beside each other in a new figure of a size, or one that is given. below: they stand below
    each other, and the figure is as much higher; options: of matplotlib's subplots()."""
    if axes is not None:
        if size is not None:
            raise ValueError("axes have the size of their figure; give axes or size")
        yield [axes]
        return
    import matplotlib  # pylint: disable=import-outside-toplevel
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    settings = sheet(size or "wide")
    with matplotlib.rc_context(settings):
        width, height = settings["figure.figsize"]
        shape = {"nrows": count, "figsize": (width, 0.8 * count * height)} if below else {"ncols": count}
        _, made = pyplot.subplots(squeeze=False, **shape, **options)
        for one in made.flat:  # ticks are made when the figure is drawn
            one.tick_params(axis="both", labelsize=settings["xtick.labelsize"])
        yield list(made.flat)


def note(axes: Any, text: str) -> None:
    """Say in the middle of a figure why it is empty."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=TEXT_GREY)


def legend(axes: Any) -> None:
    """Name the lines: inside of the axes if there are few; else at their right, or above them where
    there is no title."""
    count = len(axes.get_legend_handles_labels()[1])
    if count <= 3:
        axes.legend()
    elif axes.get_title(loc="left"):
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    else:
        axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncol=3 if count > 4 else 2,
                    columnspacing=1, handlelength=2.2, fontsize="small")


def aside(axes: Any, text: str) -> None:
    """A fact at the upper right of a figure, where its title stands at the left."""
    if axes.get_title(loc="left"):
        axes.set_title(text, loc="right", fontsize="small", color=TEXT_GREY)


def save(axes: Any, path: Any) -> None:
    """Write the figure of axes to a file; its ending says which kind: pdf, svg, png."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    keep = {name: value for name, value in sheet().items() if name.partition(".")[2] == "fonttype"}
    with matplotlib.rc_context(dict(keep, **{"savefig.dpi": sheet()["savefig.dpi"]})):
        axes.figure.savefig(os.fspath(path))
