# SPDX-License-Identifier: GPL-2.0-only
"""Figures, all in one style."""

import os

from .claims import number
from .drawing import plt
from .errors import ReproduceError


def require():
    if plt is None:
        raise ReproduceError("there is no matplotlib; utils/setup installs Debian's")


class Figure:
    """One plot, saved as a PNG file."""

    def __init__(self, name, title, xlabel, ylabel, caption):
        self.name, self.title, self.caption = name, title, caption
        self.figure, self.axes = plt.subplots(figsize=(8, 4), constrained_layout=True)
        self.axes.set_title(title, loc="left")
        self.axes.set_xlabel(xlabel)
        self.axes.set_ylabel(ylabel)
        self.legend = {}
        self.axes.grid(True, color="#dddddd", linewidth=0.6)
        self.axes.set_axisbelow(True)
        for side in ("top", "right"):
            self.axes.spines[side].set_visible(False)

    def line(self, scheme, times, values, **options):
        self.axes.plot(times, values, scheme.style, color=scheme.colour, label=scheme.label,
                       linewidth=1.2, **options)

    def move_legend_out(self):
        """Right of the axes, where there is no room inside."""
        self.legend = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}

    def plain_ticks(self, axis, values, labels=None):
        """Ticks at values, with numbers as people write them. axis: "x" or "y"."""
        getattr(self.axes, f"set_{axis}ticks")(values, labels or [number(v) for v in values])
        getattr(self.axes, f"{axis}axis").set_minor_formatter(lambda *_: "")

    def bars(self, groups, schemes, values):
        """Groups of bars: values[group][scheme.name]; None is left out."""
        width = 0.8 / max(1, len(schemes))
        for index, scheme in enumerate(schemes):
            heights = [values[group].get(scheme.name) or 0 for group in groups]
            places = [i - 0.4 + (index + 0.5) * width for i in range(len(groups))]
            bars = self.axes.bar(places, heights, width, color=scheme.colour, label=scheme.label)
            labels = [number(h) if values[group].get(scheme.name) is not None else ""
                      for group, h in zip(groups, heights)]
            self.axes.bar_label(bars, labels, fontsize=6,
                                rotation=90 if len(groups) * len(schemes) > 14 else 0, padding=2)
        self.axes.set_xticks(range(len(groups)))
        self.axes.set_xticklabels(groups)
        self.axes.margins(y=0.15)
        self.move_legend_out()

    def save(self, folder):
        _, labels = self.axes.get_legend_handles_labels()
        if labels:
            columns = 2 if len(labels) > 5 and not self.legend else 1
            self.axes.legend(frameon=False, fontsize=8, ncol=columns, **self.legend)
        else:
            self.axes.text(0.5, 0.5, "no results", transform=self.axes.transAxes, ha="center",
                           color="#555555")
        path = os.path.join(folder, self.name + ".png")
        self.figure.savefig(path, dpi=110)
        plt.close(self.figure)
        return path
