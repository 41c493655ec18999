# SPDX-License-Identifier: GPL-2.0-only
"""Plots of Results, with matplotlib. Each function returns the axes that it drew on: save them with
axes.figure.savefig("x.png")."""

import bisect
import fractions
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Dict, List, Tuple

from .results import Results

BLUE, RED, GREY = "#2166ac", "#b2182b", "#bbbbbb"
COLOURS = (BLUE, RED, "#1b7837", "#e08214", "#762a83", "#555555")  # of runs that are compared
LINES = ("-", "--", ":")
# Of one run: the median, then those of the tail.
PERCENTILES = ((BLUE, "-"), (RED, "-"), (RED, "--"), (RED, ":"),
               *((colour, line) for line in LINES for colour in COLOURS[2:]))


def _axes(axes, title, xlabel, ylabel):
    if axes is None:
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        _, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
    axes.set_title(title, loc="left")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _percentile(ordered, percent):
    """Nearest rank, of values in order."""
    rank = math.ceil(len(ordered) * fractions.Fraction(str(percent)) / 100)  # 99.9 is 999 of 1000
    return ordered[max(0, rank - 1)]


def _require_percent(percent):
    if isinstance(percent, bool) or not 0 <= percent <= 100:
        raise ValueError(f"percentile is {percent!r}; it must be 0 to 100")


def _size(count):
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:.0f} B"


def _empty(axes, text):
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color="#555555")
    return axes


def _completed(results):
    """(size, slowdown) of the flows that completed, by size."""
    table = results.flows
    return sorted((size, slowdown) for size, slowdown, status in
                  zip(table["bytes"], table["slowdown"], table["status"]) if status == 0)


def _groups(sizes):
    """Largest size of each of ten groups of as many flows each; fewer where sizes are the same."""
    groups = min(10, len(sizes))
    return sorted({sizes[len(sizes) * (i + 1) // groups - 1] for i in range(groups)})


def _by_group(flows, borders, percent):
    """The percentile of the slowdown of each group of sizes; nan: the group is empty."""
    groups: List[List[float]] = [[] for _ in borders]
    for size, slowdown in flows:
        groups[bisect.bisect_left(borders, size)].append(slowdown)
    return [_percentile(sorted(group), percent) if group else float("nan") for group in groups]


def _slowdown_axes(axes, borders):
    """Group by group from left to right, and plain numbers on a logarithmic axis."""
    from matplotlib import ticker  # pylint: disable=import-outside-toplevel
    axes.set_xticks(range(len(borders)))
    axes.set_xticklabels([_size(border) for border in borders], rotation=30, ha="right")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.legend(frameon=False)


def fct_slowdown(results: Results, axes: Any = None,
                 percentiles: Sequence[float] = (50, 95, 99)) -> Any:
    """FCT over ideal FCT, by flow size: ten groups of as many flows each, one line a percentile."""
    for percent in percentiles:
        _require_percent(percent)
    axes = _axes(axes, "FCT slowdown by flow size", "flow size, largest of each group",
                 "FCT / ideal FCT")
    flows = _completed(results)
    if not flows:
        return _empty(axes, "no flow completed")
    borders = _groups([size for size, _ in flows])
    for percent, (colour, style) in zip(percentiles, itertools.cycle(PERCENTILES)):
        axes.plot(range(len(borders)), _by_group(flows, borders, percent), style, color=colour,
                  marker="o", markersize=4, label=f"p{percent:g}")
    _slowdown_axes(axes, borders)
    return axes


def compare(results_by_name: Mapping[str, Results], axes: Any = None, percentile: float = 99) -> Any:
    """FCT over ideal FCT of several runs in one figure: one line a run, by flow size.

    results_by_name: Results by label; percentile: of the flows of each group of sizes.
    """
    _require_percent(percentile)
    axes = _axes(axes, f"FCT slowdown by flow size, p{percentile:g}",
                 "flow size, largest of each group", "FCT / ideal FCT")
    flows = {name: _completed(results) for name, results in results_by_name.items()}
    sizes = sorted(size for part in flows.values() for size, _ in part)
    if not sizes:
        return _empty(axes, "no flow completed")
    borders = _groups(sizes)
    for index, (name, part) in enumerate(flows.items()):
        axes.plot(range(len(borders)), _by_group(part, borders, percentile),
                  LINES[index // len(COLOURS) % len(LINES)], color=COLOURS[index % len(COLOURS)],
                  marker="o", markersize=4, label=name)
    _slowdown_axes(axes, borders)
    return axes


def queues(results: Results, axes: Any = None) -> Any:
    """Bytes in all queues of switches, and in the longest, over time."""
    axes = _axes(axes, "Queues of all switches", "time (ms)", "queued (KB)")
    table = results.queues
    if not len(table):
        return _empty(axes, "no queue held anything at a sample")
    # A queue that is empty at a sample has no row.
    total = dict.fromkeys(results.throughput["time_ns"], 0)
    peak = dict(total)
    for time, size in zip(table["time_ns"], table["bytes"]):
        total[time] = total.get(time, 0) + size
        peak[time] = max(peak.get(time, 0), size)
    times = sorted(total)
    x = [time / 1e6 for time in times]
    axes.fill_between(x, [total[time] / 1e3 for time in times], color=GREY, linewidth=0,
                      label="all queues")
    axes.plot(x, [peak[time] / 1e3 for time in times], color=RED, linewidth=1.2,
              label="longest queue")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return axes


def _paused(rows, begin, width, bins):
    """Mean number of paused ports in each interval."""
    paused = [0.0] * bins
    for row in rows:
        start = row["start_ns"] - begin
        stop = start + row["duration_ns"]
        for i in range(int(max(start, 0) / width), min(int(stop / width), bins - 1) + 1):
            paused[i] += max(min(stop, (i + 1) * width) - max(start, i * width), 0) / width
    return paused


def pauses(results: Results, axes: Any = None, bins: int = 200) -> Any:
    """Ports paused, on average, over time."""
    axes = _axes(axes, "PFC pauses", "time (ms)", "ports paused, on average")
    rows = list(results.pauses)
    if not rows:
        return _empty(axes, "PFC paused nobody")
    begin = min(row["start_ns"] for row in rows)
    end = max(row["start_ns"] + row["duration_ns"] for row in rows)
    width = max((end - begin) / bins, 1)
    x = [(begin + (i + 0.5) * width) / 1e6 for i in range(bins)]
    for kind, colour in (("host", BLUE), ("switch", RED)):
        chosen = [row for row in rows if row["node_type"] == kind]
        axes.plot(x, _paused(chosen, begin, width, bins), color=colour, linewidth=1.2,
                  label=f"ports of {'hosts' if kind == 'host' else 'switches'}")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return axes


def throughput(results: Results, axes: Any = None) -> Any:
    """What all hosts receive, over time."""
    axes = _axes(axes, "Throughput of hosts", "time (ms)", "received by all hosts (Gb/s)")
    table = results.throughput
    received: Dict[int, float] = {}
    for time, rate in zip(table["time_ns"], table["rx_bps"]):
        received[time] = received.get(time, 0) + rate
    if not received:
        return _empty(axes, "nothing was sent")
    times = sorted(received)
    axes.plot([time / 1e6 for time in times], [received[time] / 1e9 for time in times], color=BLUE,
              linewidth=1.2)
    axes.set_ylim(bottom=0)
    return axes


def pause_propagation(results: Results, axes: Any = None) -> Any:
    """When each port was paused: one line a port, in the order in which pauses reached them."""
    axes = _axes(axes, "Where pauses went", "time (ms)",
                 "paused port, the first at the bottom")
    rows = list(results.pauses)
    if not rows:
        return _empty(axes, "PFC paused nobody")
    order: Dict[Tuple[str, int, int, int], int] = {}
    for row in sorted(rows, key=lambda row: row["start_ns"]):
        order.setdefault((row["node_type"], row["node"], row["port"], row["class"]), len(order))
    for row in rows:
        place = order[row["node_type"], row["node"], row["port"], row["class"]]
        axes.hlines(place, row["start_ns"] / 1e6, (row["start_ns"] + row["duration_ns"]) / 1e6,
                    color=BLUE if row["node_type"] == "host" else RED, linewidth=3)
    for label, colour in (("port of a host", BLUE), ("port of a switch", RED)):
        axes.plot([], [], color=colour, linewidth=3, label=label)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, 1.1), ncol=2)
    axes.set_title("Where pauses went", loc="right")
    axes.set_title("", loc="left")
    if len(order) <= 40:
        axes.set_yticks(range(len(order)))
        axes.set_yticklabels([f"{kind} {node}.{port}" for kind, node, port, _ in order], fontsize=8)
    return axes
