# SPDX-License-Identifier: GPL-2.0-only
"""Figures, in the style sheet of the Python package: small multiples with shared axes, numbers with
their intervals, and what was published as hollow diamonds."""

import importlib.util
import math
import os

from .claims import number, usable
from .drawing import plt
from .errors import ReproduceError
from .samples import interval

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PUBLISHED = {"marker": "D", "markerfacecolor": "none", "markersize": 6.5, "linestyle": "none",
             "markeredgewidth": 0.9, "zorder": 4, "clip_on": False}
WIDTH = 8.4  # inches
PAGE = 30  # claims in one figure


def load_style():
    """The style sheet; it needs no build of the package."""
    path = os.path.join(ROOT, "bindings", "lossless", "style.py")
    spec = importlib.util.spec_from_file_location("lossless_style", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


style = load_style()
if plt is not None:
    plt.rcParams.update(style.sheet("wide"))
    plt.rcParams.update({"figure.constrained_layout.h_pad": 0.06})


def require():
    if plt is None:
        raise ReproduceError("there is no matplotlib; utils/setup installs Debian's")


class Figure:
    """Axes of a figure, saved as a PNG file. panels: their titles; one without a title fills it."""

    def __init__(self, name, title, caption, panels=("",), columns=3, height=1.7, sharex=True,
                 sharey=True):
        self.name, self.caption = name, caption
        columns = min(columns, len(panels))
        lines = math.ceil(len(panels) / columns)
        tall = 3.4 if len(panels) == 1 else 0.8 + height * lines
        self.figure, axes = plt.subplots(lines, columns, figsize=(WIDTH, tall), sharex=sharex,
                                         sharey=sharey, squeeze=False)
        self.figure.suptitle(title, x=0.01, ha="left", fontsize=10)
        flat = list(axes.flat)
        for unused in flat[len(panels):]:
            unused.set_visible(False)
        self.panels = dict(zip(panels, flat))
        self.bottom = set(flat[max(0, len(panels) - columns):len(panels)])
        self.left = {row[0] for row in axes}
        self.shared = sharex, sharey
        for panel, drawn in self.panels.items():
            if panel:
                drawn.set_title(panel, fontsize=8.5)
            if drawn in self.bottom:
                drawn.tick_params(labelbottom=True)
        self.empty = True

    @property
    def axes(self):
        """Those of the first panel."""
        return next(iter(self.panels.values()))

    def labels(self, xlabel, ylabel):
        """With units. Where panels share an axis its label stands at the outer ones."""
        for axes in self.panels.values():
            if axes in self.bottom or not self.shared[0]:
                axes.set_xlabel(xlabel)
            if axes in self.left or not self.shared[1]:
                axes.set_ylabel(ylabel)

    def each(self):
        return self.panels.values()

    def line(self, x, y, panel="", index=0, label=None, marks=False, **options):
        """A line. index: its colour, style and marker in a panel of several. marks: all points have
        markers."""
        look = style.look(index)
        x, y = list(x), list(y)
        if marks and len(x) < 3:  # a line would tell of values between them
            look["linestyle"] = "none"
        elif not marks:
            look["marker"] = None if index == 0 else look["marker"]
            look["markevery"] = style.sparse(len(x), offset=3 * index)
        self.panels[panel].plot(x, y, label=label, **{**look, "linewidth": 1.1, "markersize": 3.5,
                                                      **options})
        self.empty = self.empty and not x

    def published(self, x, y, panel="", label="published"):
        """What a paper gives as a number."""
        self.panels[panel].plot(x, y, color=style.BLACK, label=label, **PUBLISHED)

    def plain_ticks(self, axis, values, labels=None):
        """Ticks at values, with numbers as people write them. axis: "x" or "y"."""
        for axes in self.panels.values():
            getattr(axes, f"set_{axis}ticks")(values, labels or [number(v) for v in values])
            getattr(axes, f"{axis}axis").set_minor_formatter(lambda *_: "")

    def save(self, folder):
        named = {}
        for axes in self.panels.values():
            named.update(zip(*reversed(axes.get_legend_handles_labels())))
        if len(self.panels) == 1 and named:
            # Inside of the axes lines would run through it.
            self.axes.legend(named.values(), named, loc="upper left", bbox_to_anchor=(1, 1))
        elif named:
            self.figure.legend(named.values(), named, loc="upper right", ncol=len(named), fontsize=7.5,
                               columnspacing=1.2, handlelength=2.4)
        if self.empty:
            style.note(self.axes, "no results")
        path = os.path.join(folder, self.name + ".png")
        self.figure.savefig(path, dpi=120)
        plt.close(self.figure)
        return path


class Dots(Figure):
    """Medians with their intervals: a row for each name, a panel for each quantity.

    quantities: by title, which gives the unit: (values, published); values: by name, the numbers of
    all samples; published: by name, a number.
    """

    def __init__(self, name, title, caption, quantities, log=False, columns=4):
        names = list(dict.fromkeys(n for values, _ in quantities.values() for n in values))
        places = {n: len(names) - i for i, n in enumerate(names)}
        super().__init__(name, title, caption, list(quantities), columns,
                         0.75 + 0.2 * max(2, len(names)), sharex=False)
        for panel, (values, published) in quantities.items():
            axes = self.panels[panel]
            axes.set_title("")
            axes.set_xlabel(panel, fontsize=8)
            axes.set_ylim(0.4, len(names) + 0.6)
            axes.set_yticks(list(places.values()), list(places))
            self.draw(panel, values, published, places)
            if log:
                axes.set_xscale("log")
            else:
                axes.set_xlim(*limits(axes))

    def draw(self, panel, values, published, places):
        axes = self.panels[panel]
        for each, numbers in values.items():
            found = interval(n for n in numbers if usable(n))
            if found is None:
                continue
            self.empty = False
            ends = [[found.median - found.low], [found.high - found.median]]
            axes.errorbar([found.median], [places[each]], xerr=ends, color=style.BLUE, marker="o",
                          markersize=4, capsize=2.5, linestyle="none", elinewidth=1)
            axes.text(1.02, places[each], number(found.median), fontsize=7, va="center",
                      transform=axes.get_yaxis_transform(), color=style.TEXT_GREY)
        shown = {n: v for n, v in (published or {}).items() if n in places and usable(v)}
        if shown:
            self.published(list(shown.values()), [places[n] for n in shown], panel)


def limits(axes):
    """Limits of x that show 0 and leave room for markers."""
    low, high = axes.dataLim.x0, axes.dataLim.x1
    low, high = min(low, 0), max(high, 0)
    room = 0.05 * ((high - low) or 1)
    return low - room, high + room


EDGE = 3.0  # times the published number


def overview(claims):
    """All claims with a number: measured by published, a figure for each PAGE of them."""
    known = [claim for claim in claims if claim.target and claim.interval]
    pages = [known[i:i + PAGE] for i in range(0, len(known), PAGE)]
    return [draw_overview(f"claims-{i + 1}", page, f" ({i + 1} of {len(pages)})" if pages[1:] else "")
            for i, page in enumerate(pages)]


def draw_overview(name, claims, part):
    figure = Figure(name, "Measured and published" + part, "Measured number by published number: "
                    "median and interval of the samples. Grey: what is as published, the tolerance "
                    "or the side of the bound that is right; between the dotted lines: within a factor 2. "
                    "Triangles: beyond the figure. The claims, with sources, are in the table.")
    figure.figure.set_size_inches(WIDTH, 1.1 + 0.19 * len(claims))
    axes, empty = figure.axes, True
    for place, claim in enumerate(reversed(claims)):
        band = sorted(clip(end / claim.target) for end in claim.band)
        axes.barh([place], [band[1] - band[0]], left=band[0], height=0.75, color=style.GRID)
        low, middle, high = sorted(end / claim.target for end in (
            claim.interval.low, claim.interval.median, claim.interval.high))
        if abs(middle) == math.inf:
            continue
        marker = "o" if 0 <= middle <= EDGE else ">" if middle > EDGE else "<"
        axes.plot([clip(low), clip(high)], [place, place], color=style.BLUE, linewidth=1.2)
        axes.plot([clip(middle)], [place], color=style.BLUE, marker=marker, markersize=4,
                  clip_on=False)
        empty = False
    figure.empty = empty
    axes.axvline(1, color=style.BLACK, linewidth=0.8)
    for factor in (0.5, 2):
        axes.axvline(factor, color=style.TEXT_GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(claims)), [shorten(claim.claim) for claim in reversed(claims)],
                    fontsize=6.5)
    axes.set_xlim(0, EDGE)
    axes.set_ylim(-0.6, len(claims) - 0.4)
    axes.grid(False, axis="y")
    axes.set_xlabel("measured / published")
    return figure


def shorten(text):
    """So that there is room for the axes."""
    return text if len(text) <= 72 else text[:69] + "..."


def clip(share):
    return min(max(share, 0), EDGE)
