# SPDX-License-Identifier: GPL-2.0-only
"""What the plots are made of: functions that draw tables. A table is anything with columns by name,
table["time_ns"]. plot.py draws Results with them, and utils/plot.py the CSV files of a folder; like
style.py the module imports nothing else of the package.

Each function takes `axes` to draw on, or makes a figure of a `size` of the style sheet, and returns
the axes.
"""

import bisect
import fractions
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Dict, List, Optional, Tuple

from . import style

Columns = Any  # columns by name: a Table, or a dictionary
Place = Tuple[int, int]  # node and port


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Nearest rank, of values in order."""
    rank = math.ceil(len(ordered) * fractions.Fraction(str(percent)) / 100)  # 99.9 is 999 of 1000
    return ordered[max(0, rank - 1)]


def require_percent(percent: Any) -> None:
    """ValueError if it is no number from 0 to 100."""
    if isinstance(percent, bool) or not 0 <= percent <= 100:
        raise ValueError(f"percentile is {percent!r}; it must be 0 to 100")


def size_name(count: float) -> str:
    """Bytes as people write them: 9.9 MB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:.0f} B"


def place_name(node: int, port: int, nodes: Sequence[str] = ()) -> str:
    """What a port is called: "leaf 2 port 3", "host 4". nodes: names of nodes, as far as known."""
    if node >= len(nodes):
        return f"node {node} port {port}"
    name = nodes[node]
    return name if port == 0 and name.startswith("host ") else f"{name} port {port}"


# ---- flow completion times

# What a flow can show: its column of Results.flows, the axis, and what one of it is.
VALUES = {"fct_s": ("flow completion time (us)", 1e6), "slowdown": ("FCT / ideal FCT", 1.0),
          "bytes": ("flow size (KB)", 1e-3), "ideal_s": ("ideal FCT (us)", 1e6)}


def value_of(column: str) -> Tuple[str, float]:
    """The axis and the unit of a column of flows."""
    if column not in VALUES:
        raise ValueError(f"column is {column!r}; it must be one of {', '.join(VALUES)}")
    return VALUES[column]


def completed(flows: Columns, column: str = "slowdown") -> List[Tuple[int, float]]:
    """(size, value) of the flows that completed, by size."""
    unit = value_of(column)[1]
    return sorted((size, value * unit) for size, value, how in
                  zip(flows["bytes"], flows[column], flows["status"]) if how == 0)


def _groups(sizes: Sequence[int]) -> List[int]:
    """Largest size of each of ten groups of as many flows each; fewer where sizes are the same."""
    groups = min(10, len(sizes))
    return sorted({sizes[len(sizes) * (i + 1) // groups - 1] for i in range(groups)})


def _by_group(flows: Sequence[Tuple[int, float]], borders: Sequence[int],
              percent: float) -> List[float]:
    """The percentile of the slowdown of each group of sizes; nan: the group is empty."""
    groups: List[List[float]] = [[] for _ in borders]
    for size, slowdown in flows:
        groups[bisect.bisect_left(borders, size)].append(slowdown)
    return [percentile(sorted(group), percent) if group else float("nan") for group in groups]


def plain_log(axis: Any) -> None:
    """Plain numbers on a logarithmic axis."""
    from matplotlib import ticker  # pylint: disable=import-outside-toplevel
    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axis.set_minor_formatter(ticker.NullFormatter())


_GROUPS = "flow size, largest of each group"


def _slowdown_lines(axes: Any, sizes: Sequence[int],
                    lines: Mapping[str, Tuple[Sequence[Tuple[int, float]], float]],
                    legend: bool = True) -> None:
    """A line for each (flows, percentile), group by group of all sizes from left to right."""
    if not sizes:
        style.note(axes, "no flow completed")
        return
    borders = _groups(sizes)
    for index, (label, (flows, percent)) in enumerate(lines.items()):
        look = style.look(index)
        if len(borders) < 3:  # a line would tell of sizes between them
            look["linestyle"] = "none"
        axes.plot(range(len(borders)), _by_group(flows, borders, percent), label=label, **look)
    axes.set_xlim(-0.4, len(borders) - 0.6)
    axes.set_xticks(range(len(borders)))
    axes.set_xticklabels([size_name(border) for border in borders], rotation=30, ha="right")
    axes.set_yscale("log")
    plain_log(axes.yaxis)
    if legend:
        style.legend(axes)


def slowdown(flows: Columns, axes: Any = None, percentiles: Sequence[float] = (50, 95, 99), *,
             size: Optional[str] = None) -> Any:
    """FCT over ideal FCT by flow size, one line a percentile."""
    style.require_some(percentiles, "percentile")
    for percent in percentiles:
        require_percent(percent)
    done = completed(flows)
    with style.figure(axes, size, "FCT slowdown by flow size", _GROUPS, "FCT / ideal FCT") as axes:
        _slowdown_lines(axes, [count for count, _ in done],
                        {f"p{percent:g}": (done, percent) for percent in percentiles})
    return axes


def compare_sizes(flows_by_name: Mapping[str, Columns], axes: Any = None,
                  percentiles: Sequence[float] = (99,), column: str = "slowdown", *,
                  size: Optional[str] = None) -> Any:
    """A value of flows by flow size, one line a run; a panel for each percentile. Returns the axes
    of the first."""
    style.require_some(flows_by_name, "run")
    style.require_some(percentiles, "percentile")
    for percent in percentiles:
        require_percent(percent)
    if axes is not None and len(percentiles) > 1:
        raise ValueError("several percentiles have a panel each; give axes or several percentiles")
    label = value_of(column)[0]
    done = {name: completed(flows, column) for name, flows in flows_by_name.items()}
    sizes = sorted(count for flows in done.values() for count, _ in flows)
    count, below = len(percentiles), size == "column" and len(percentiles) > 1
    options = {"sharex": below, "sharey": not below} if count > 1 else {}
    with style.panels(axes, size, count, below, **options) as panels:
        for index, (panel, percent) in enumerate(zip(panels, percentiles)):
            if size != "column":
                panel.set_title(f"p{percent:g}" if count > 1 else f"{label} by flow size, p{percent:g}")
            if below or index == 0:
                panel.set_ylabel(f"{label}, p{percent:g}" if below or count == 1 else label)
            if index == (count - 1 if below else count // 2):
                panel.set_xlabel(_GROUPS)
            _slowdown_lines(panel, sizes, {name: (flows, percent) for name, flows in done.items()},
                            legend=index == (0 if below else count - 1))
            if count > 1 and not below:
                panel.tick_params(axis="x", labelrotation=90)
    return panels[0]


def cdf(values_by_name: Mapping[str, Sequence[float]], axes: Any = None, *, title: str, xlabel: str,
        log: Optional[bool] = None, size: Optional[str] = None) -> Any:
    """The share of values that are not larger, one line a name. log: a logarithmic axis; None: if
    the values span more than a factor of 30."""
    style.require_some(values_by_name, "run")
    with style.figure(axes, size, title, xlabel, "share of flows") as axes:
        ordered = {name: sorted(values) for name, values in values_by_name.items()}
        everything = [value for values in ordered.values() for value in values]
        if not everything:
            style.note(axes, "no flow completed")
            return axes
        for index, (name, values) in enumerate(ordered.items()):
            shares = [i / len(values) for i in range(len(values) + 1)]
            axes.plot(values[:1] + values, shares, drawstyle="steps-post", label=name,
                      markevery=style.sparse(len(values), 6, index), **style.look(index))
        if log or (log is None and max(everything) > 30 * min(everything) > 0):
            axes.set_xscale("log")
            if max(everything) < 1000 * min(everything):
                plain_log(axes.xaxis)
        axes.set_ylim(0, 1.02)
        if len(ordered) > 1:
            style.legend(axes)
    return axes


# ---- over time

def _ms(times: Sequence[int], begin: int) -> List[float]:
    return [(time - begin) / 1e6 for time in times]


Line = Tuple[Sequence[float], Sequence[float]]  # ms, and values


def over_time(lines: Mapping[str, Line], axes: Any = None, *, title: str, ylabel: str, empty: str,
              size: Optional[str] = None) -> Any:
    """A line for each name. empty: what a figure without any point says."""
    style.require_some(lines, "line")
    with style.figure(axes, size, title, "time (ms)", ylabel) as axes:
        if not any(len(x) for x, _ in lines.values()):
            style.note(axes, empty)
            return axes
        for index, (name, (x, y)) in enumerate(lines.items()):
            axes.plot(x, y, label=name, markevery=style.sparse(len(x), 8, index), **style.look(index))
        axes.set_ylim(bottom=0)
        if len(lines) > 1:
            style.legend(axes)
    return axes


def sums(samples: Columns, column: str, unit: float, times: Sequence[int] = (),
         begin: int = 0) -> Line:
    """The sum of a column over all rows of a time. times: those of all samples, ns."""
    total: Dict[int, float] = dict.fromkeys(times, 0.0)
    for time, value in zip(samples["time_ns"], samples[column]):
        total[time] = total.get(time, 0) + value / unit
    ordered = sorted(total)
    return _ms(ordered, begin), [total[time] for time in ordered]


def queues(queue: Columns, times: Sequence[int], axes: Any = None, *, begin: int = 0,
           names: Callable[[int, int], str] = place_name, size: Optional[str] = None) -> Any:
    """Bytes in all queues of switches, and in the longest, over time. times: those of all samples,
    ns; begin: where the axis begins, ns."""
    with style.figure(axes, size, "Queues of all switches", "time (ms)", "queued (KB)") as axes:
        x, total = sums(queue, "bytes", 1e3, times, begin)
        peak = dict.fromkeys(times, 0)
        longest: Tuple[int, int, int, int] = (0, 0, 0, 0)
        for time, node, port, cls, count in zip(*(queue[name] for name in (
                "time_ns", "node", "port", "class", "bytes"))):
            peak[time] = max(peak.get(time, 0), count)
            longest = max(longest, (count, -node, -port, -cls))
        if not longest[0]:
            style.note(axes, "no queue held anything at a sample")
            return axes
        axes.fill_between(x, total, color=style.GREY, linewidth=0, label="all queues")
        axes.plot(x, [peak[time] / 1e3 for time in sorted(peak)], color=style.VERMILION,
                  label="longest queue")
        style.aside(axes, f"longest at {names(-longest[1], -longest[2])} class {-longest[3]}")
        axes.set_ylim(bottom=0)
        axes.legend()
    return axes


def paused(pause: Columns, span: Tuple[int, int], bins: int = 200, kind: str = "",
           begin: int = 0) -> Line:
    """Mean number of paused ports over time. span: first and last time, ns; kind: of ports of
    hosts ("host") or switches, all by default."""
    first, last = span
    width = max((last - first) / bins, 1)
    mean = [0.0] * bins
    for start, duration, what in zip(pause["start_ns"], pause["duration_ns"], pause["node_type"]):
        if kind not in ("", what):
            continue
        start -= first
        stop = start + duration
        for i in range(int(max(start, 0) / width), min(int(stop / width), bins - 1) + 1):
            mean[i] += max(min(stop, (i + 1) * width) - max(start, i * width), 0) / width
    return [(first - begin + (i + 0.5) * width) / 1e6 for i in range(bins)], mean


PAUSES: Any = {"title": "PFC pauses", "ylabel": "ports paused, on average",
               "empty": "PFC paused nobody"}
THROUGHPUT: Any = {"title": "Throughput of hosts", "ylabel": "received by all hosts (Gb/s)",
                   "empty": "nothing was sent"}
QUEUES: Any = {"title": "Queues of all switches", "ylabel": "queued in all switches (KB)",
               "empty": "no queue held anything at a sample"}


def pauses(pause: Columns, axes: Any = None, bins: int = 200, *, span: Tuple[int, int],
           begin: int = 0, size: Optional[str] = None) -> Any:
    """Ports paused, on average, over time. span: first and last time, ns."""
    is_there = len(pause["start_ns"]) > 0
    lines = {f"ports of {name}": paused(pause, span, bins, kind, begin) if is_there else ([], [])
             for kind, name in (("host", "hosts"), ("switch", "switches"))}
    axes = over_time(lines, axes, size=size, **PAUSES)
    if is_there:
        total = sum(pause["duration_ns"])
        style.aside(axes, f"{len(pause['start_ns'])} pauses, {total / 1e6:.3g} ms in all")
    return axes


def rates(samples: Columns, direction: str, chosen: Sequence[Place], axes: Any = None, *,
          begin: int = 0, names: Callable[[int, int], str] = place_name,
          size: Optional[str] = None) -> Any:
    """What ports of hosts send or receive over time, one line a port. direction: "tx" or "rx"."""
    words = {"rx": "received (Gb/s)", "tx": "sent (Gb/s)"}
    if direction not in words:
        raise ValueError(f"direction is {direction!r}; it must be rx or tx")
    if len(samples["time_ns"]):
        style.require_some(chosen, "node with a port of a host that has samples")
    times = sorted(set(samples["time_ns"]))
    found: Dict[Place, Dict[int, float]] = {place: {} for place in chosen}
    for time, node, port, rate in zip(samples["time_ns"], samples["node"], samples["port"],
                                      samples[direction + "_bps"]):
        if (node, port) in found:
            found[node, port][time] = rate / 1e9
    lines = {names(*place): (_ms(times, begin), [values.get(time, 0) for time in times])
             for place, values in found.items()}
    return over_time(lines or {"": ([], [])}, axes, title="Rates of hosts", ylabel=words[direction],
                     empty="nothing was sent", size=size)


HEAT_MAPS = {"queues": ("Queues of switches", "queued (KB)", "bytes", 1e3),
             "rx": ("Received by hosts", "received (Gb/s)", "rx_bps", 1e9),
             "tx": ("Sent by hosts", "sent (Gb/s)", "tx_bps", 1e9)}


def heat_map(samples: Columns, of: str, times: Sequence[int], axes: Any = None, *, begin: int = 0,
             names: Callable[[int, int], str] = place_name, size: Optional[str] = None) -> Any:
    """A row a port, time from left to right, and colour for what is queued or sent there, none for
    nothing. of:
    "queues" of queue.csv, "rx" or "tx" of throughput.csv. times: those of all samples, ns."""
    if of not in HEAT_MAPS:
        raise ValueError(f"of is {of!r}; it must be one of {', '.join(HEAT_MAPS)}")
    title, label, column, unit = HEAT_MAPS[of]
    with style.figure(axes, size, title, "time (ms)", "port") as axes:
        columns = {time: i for i, time in enumerate(sorted({*times, *samples["time_ns"]}))}
        cells: Dict[Place, List[float]] = {}
        for time, node, port, value in zip(samples["time_ns"], samples["node"], samples["port"],
                                           samples[column]):
            if value:
                row = cells.setdefault((node, port), [0.0] * len(columns))
                row[columns[time]] += value / unit
        if not cells:
            style.note(axes, "nothing was sent" if of != "queues" else
                       "no queue held anything at a sample")
            return axes
        places = sorted(cells)
        ordered = _ms(sorted(columns), begin)
        step = ordered[1] - ordered[0] if len(ordered) > 1 else 1e-3
        image = axes.imshow([[value or math.nan for value in cells[place]] for place in places], aspect="auto", origin="lower",
                            interpolation="nearest", vmin=0,
                            extent=(ordered[0] - step, ordered[-1], -0.5, len(places) - 0.5))
        axes.grid(False)
        every = max(1, math.ceil(len(places) / 24))  # as many names as there is room for
        axes.set_yticks(range(0, len(places), every))
        axes.set_yticklabels([names(*place) for place in places[::every]], fontsize="x-small")
        axes.figure.colorbar(image, ax=axes, label=label)
    return axes


def pause_propagation(pause: Columns, axes: Any = None, *, begin: int = 0,
                      names: Callable[[int, int], str] = place_name,
                      size: Optional[str] = None) -> Any:
    """When each port was paused: one line a port, in the order in which pauses reached them."""
    with style.figure(axes, size, "Where pauses went", "time (ms)",
                      "paused port, first below") as axes:
        rows = sorted(zip(pause["start_ns"], pause["duration_ns"], pause["node_type"],
                          pause["node"], pause["port"], pause["class"]))
        if not rows:
            style.note(axes, "PFC paused nobody")
            return axes
        order: Dict[Tuple[int, int, int], int] = {}
        from matplotlib import rcParams  # pylint: disable=import-outside-toplevel
        thick = 2 * rcParams["lines.linewidth"]
        for index, kind in enumerate(("host", "switch")):
            for start, duration, what, node, port, cls in rows:
                place = order.setdefault((node, port, cls), len(order))
                if what == kind:
                    axes.hlines(place, (start - begin) / 1e6, (start + duration - begin) / 1e6,
                                color=style.PALETTE[index], linewidth=thick / (1 + index))
            axes.plot([], [], color=style.PALETTE[index], linewidth=thick / (1 + index),
                      label=f"port of a {kind}")
        axes.legend(loc="lower right")  # pauses of the first ports are early
        every = max(1, math.ceil(len(order) / 24))
        axes.set_yticks(range(0, len(order), every))
        axes.set_yticklabels([names(node, port) for node, port, _ in list(order)[::every]],
                             fontsize="x-small")
    return axes


# ---- schemes

def comparison(values: Mapping[str, Mapping[str, Tuple[float, float, float]]], *,
               units: Mapping[str, str], size: Optional[str] = None) -> Any:
    """Schemes beside each other: a panel for each value, a mark with its interval a scheme.

    values: by scheme, then by name of the value: (median, low, high); units: of the values.
    """
    style.require_some(values, "scheme")
    names = list(next(iter(values.values())))
    style.require_some(names, "value")
    with style.panels(None, size, len(names)) as panels:
        for axes, name in zip(panels, names):
            for index, scheme in enumerate(values):
                middle, low, high = values[scheme][name]
                seen = dict(style.look(index), linestyle="none")
                axes.errorbar([index], [middle], [[middle - low], [high - middle]], capsize=3,
                              label=scheme, **seen)
            axes.set_xticks(range(len(values)))
            axes.set_xticklabels(list(values), rotation=30, ha="right")
            axes.set_xlim(-0.5, len(values) - 0.5)
            axes.set_ylabel(name + (f" ({units[name]})" if units.get(name) else ""))
            axes.set_ylim(bottom=0)
            axes.grid(False, axis="x")
        panels[0].figure.align_ylabels()
    return panels[0]


# ---- monitors

def ping(rows: Columns, *, size: Optional[str] = None) -> Any:
    """Round trips of a ping mesh by window, and probes that failed."""
    with style.figure(None, size, "RDMA ping mesh", "time (ms)", "round trip (us)") as axes:
        if not len(rows["start_ns"]):
            style.note(axes, "no probe ended")
            return axes
        x = _ms(rows["start_ns"], 0)
        for index, (column, label) in enumerate((("p50_ns", "p50"), ("p99_ns", "p99"),
                                                 ("p999_ns", "p99.9"))):
            axes.plot(x, [value / 1e3 or math.nan for value in rows[column]], label=label,
                      **style.look(index))
        axes.set_yscale("log")
        failed = sum(rows["failed"])
        if failed:
            right = axes.twinx()
            width = min((b - a for a, b in zip(x, x[1:])), default=1)
            right.bar(x, rows["failed"], 0.6 * width, color=style.GREY, alpha=0.6)
            right.set_ylabel("failed probes (bars)")
            right.grid(False)
            right.spines["right"].set_visible(True)
            axes.set_zorder(right.get_zorder() + 1)
            axes.patch.set_visible(False)
        style.aside(axes, f"{sum(rows['probes'])} probes, {failed} failed")
        axes.legend()
    return axes


def pause_monitor(rows: Columns, *, names: Callable[[int, int], str] = place_name,
                  size: Optional[str] = None) -> Any:
    """XOFF frames that each (port, class) sent in an interval."""
    with style.figure(None, size, "Pause frames by port", "time (ms)",
                      "XOFF frames sent in an interval") as axes:
        sent: Dict[str, List[Tuple[float, int]]] = {}
        for node, port, cls, time, count in zip(*(rows[name] for name in (
                "node", "port", "class", "time_ns", "xoff_sent"))):
            if count:
                sent.setdefault(f"{names(node, port)} class {cls}", []).append((time / 1e6, count))
        if not sent:
            style.note(axes, "nobody sent a pause")
            return axes
        # By name those that began: pauses spread from there. The others in grey.
        by_begin = sorted(sent, key=lambda place: sent[place][0][0])
        for index, place in reversed(list(enumerate(by_begin))):
            seen = dict(style.look(index), linestyle="none")
            if index >= 5:
                seen.update(color=style.GREY, marker=".")
            axes.plot(*zip(*sent[place]), label=place if index < 5 else None, **seen)
        axes.set_ylim(bottom=0)
        style.aside(axes, f"{len(by_begin)} (port, class) sent pauses")
        lines, labels = axes.get_legend_handles_labels()
        axes.legend(lines[::-1], labels[::-1])
    return axes


# ---- the topology

def places(names: Sequence[str], ends: Sequence[Tuple[int, int]]) -> List[Tuple[float, float]]:
    """Where each node stands: its tier is its height, and hosts stand below their switches."""
    tier = [{"host": 0, "leaf": 1, "spine": 2}.get(name.partition(" ")[0], 3) for name in names]
    near: Dict[int, List[int]] = {}
    for a, b in ends:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    hosts = [node for node, height in enumerate(tier) if height == 0]
    leaf_of = {host: min(near.get(host, [0])) for host in hosts}
    across: Dict[int, float] = {}
    for place, host in enumerate(sorted(hosts, key=lambda host: (leaf_of[host], host))):
        across[host] = float(place)
    width = max(len(hosts) - 1, 1)
    for height in (1, 2, 3):
        row = [node for node, found in enumerate(tier) if found == height]
        for place, node in enumerate(row):
            below = [across[other] for other in near.get(node, ()) if tier[other] == 0]
            even = width * (place + 0.5) / len(row)
            across[node] = sum(below) / len(below) if below else even
    return [(across[node], float(tier[node])) for node in range(len(names))]


def topology(names: Sequence[str], ends: Sequence[Tuple[int, int]], axes: Any = None, *,
             links: Optional[Columns] = None, down: Sequence[int] = (), way: Sequence[int] = (),
             size: Optional[str] = None) -> Any:
    """The nodes and links of a fabric. links: by whose utilisation links get their colour, and
    where PFC paused an end a mark; down: links that are cut; way: links that are thick."""
    from matplotlib import cm, colors, rcParams  # pylint: disable=import-outside-toplevel
    where = places(names, ends)
    with style.figure(axes, size, "Topology", "", "") as axes:
        thin = rcParams["lines.linewidth"] * (0.7 if len(ends) < 200 else 0.25)
        used = [max(pair) for pair in zip(links["a_utilisation"], links["b_utilisation"])] \
            if links is not None and len(ends) else []
        scale = cm.ScalarMappable(colors.Normalize(-0.3, 1), style.COLOUR_MAP)  # 0 is no white line
        for link, (a, b) in enumerate(ends):
            colour = scale.to_rgba(min(used[link], 1)) if used else style.TEXT_GREY
            axes.plot(*zip(where[a], where[b]), zorder=2 if link in way else 1,
                      color=style.VERMILION if link in down else colour,
                      linestyle=":" if link in down else "-",
                      linewidth=thin * (4 if link in way else 1.6 if used else 1))
        if links is not None:
            _mark_pauses(axes, links, where, ends)
        for kind, marker in (("host", "o"), ("switch", "s")):
            chosen = [spot for spot, name in zip(where, names)
                      if name.startswith("host ") == (kind == "host")]
            if chosen:
                axes.plot(*zip(*chosen), marker, color=style.BLACK, markerfacecolor="white",
                          zorder=4, markersize=rcParams["lines.markersize"] *
                          (1.6 if kind == "switch" else 1 if len(chosen) <= 64 else 0.4))
        _name_nodes(axes, names, where)
        axes.set_axis_off()
        axes.margins(0.03, 0.14)
        if used:
            axes.figure.colorbar(scale, ax=axes, label="utilisation of the busier direction"
                                 ).ax.set_ylim(0, 1)
        if axes.get_legend_handles_labels()[1]:
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.06))
    return axes


def _mark_pauses(axes: Any, links: Columns, where: Sequence[Tuple[float, float]],
                 ends: Sequence[Tuple[int, int]]) -> None:
    """A mark near each end that PFC kept from sending; its area is the time."""
    longest = max([*links["a_paused_s"], *links["b_paused_s"], 0])
    spots = []
    for link, (a, b) in enumerate(ends):
        for end, other, paused in ((a, b, links["a_paused_s"][link]),
                                   (b, a, links["b_paused_s"][link])):
            if paused > 0:
                (x, y), (to_x, to_y) = where[end], where[other]
                spots.append((x + 0.22 * (to_x - x), y + 0.22 * (to_y - y), 60 * paused / longest))
    if spots:
        x, y, area = zip(*spots)
        axes.scatter(x, y, s=[max(6, value) for value in area], color=style.VERMILION, marker="X",
                     zorder=3, linewidths=0, label=f"paused, at most {longest * 1e6:.3g} us")


def _name_nodes(axes: Any, names: Sequence[str], where: Sequence[Tuple[float, float]]) -> None:
    """Names of switches above them and of hosts below them, where there is room."""
    hosts = sum(name.startswith("host ") for name in names)
    counts: Dict[float, int] = {}
    for _, height in where:
        counts[height] = counts.get(height, 0) + 1
    for (x, y), name in zip(where, names):
        is_host = name.startswith("host ")
        if hosts <= 64 if is_host else counts[y] <= 24:
            axes.annotate(name, (x, y), (0, -7 if is_host else 6), textcoords="offset points",
                          ha="center", va="top" if is_host else "bottom", fontsize="x-small",
                          rotation=90 if counts[y] > 10 else 0)
