# SPDX-License-Identifier: GPL-2.0-only
"""Plots of Results, with matplotlib, in one style: see style.py.

Each function makes a figure of a size, "column" (of a paper), "wide" or "slide", or draws on axes
that are given, and returns the axes; save(axes, "x.pdf") writes the figure. results.plot has the
same functions as methods: results.plot.slowdown(size="column").
"""

import csv
import json
import os
import types
import typing
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Dict, List, Optional, Tuple, Union

from . import drawing, style
from .drawing import Columns
from .style import save, sheet

__all__ = ["cdf", "compare", "draw_folders", "Folder", "heat_map", "pause_propagation", "pauses",
           "queues", "rates", "save", "sheet", "slowdown", "throughput"]


class Shown(typing.Protocol):
    """What plots read of a run: Results and a Folder have it."""

    @property
    def flows(self) -> Columns: ...
    @property
    def queues(self) -> Columns: ...
    @property
    def pauses(self) -> Columns: ...
    @property
    def throughput(self) -> Columns: ...
    @property
    def begin_ns(self) -> int: ...
    @property
    def end_ns(self) -> int: ...
    def port_name(self, node: int, port: int) -> str: ...


Runs = Union[Shown, Mapping[str, Shown]]


def _number(text: str) -> Any:
    """A cell: a whole number, a number or text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class Folder:
    """The files of a run, as plots read them: ll.plot.compare({"a": ll.plot.Folder("results-a")})."""

    def __init__(self, path: Any):
        self._path = os.fspath(path)
        self._nodes: List[str] = []
        self.begin_ns, self.end_ns = 0, 0  # of the run, where topology.json says it
        topology = os.path.join(self._path, "topology.json")
        if os.path.exists(topology):
            try:
                with open(topology, encoding="utf-8") as file:
                    found = json.load(file)
                self._nodes = [str(node["name"]) for node in found["nodes"]]
                self.begin_ns, self.end_ns = int(found["begin_ns"]), int(found["end_ns"])
            except (OSError, ValueError, LookupError, TypeError):
                raise ValueError(f"{topology}: this is no topology of a run; run the program "
                                 "again") from None

    def has(self, name: str) -> bool:
        """Whether there is the CSV file of a table."""
        return os.path.exists(os.path.join(self._path, name + ".csv"))

    def table(self, name: str) -> Dict[str, List[Any]]:
        """The columns of a CSV file. ValueError, of one line, if it is missing or cut off."""
        path = os.path.join(self._path, name + ".csv")
        try:
            with open(path, newline="", encoding="ascii") as file:
                text = file.read()
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror}; name a folder with results of a "
                             "run") from None
        except UnicodeDecodeError:
            raise ValueError(f"{path}: this is no text; run the program again") from None
        reader = csv.reader(text.splitlines())
        names: List[str] = next(reader, [])
        rows = list(reader)
        if not text.endswith("\n") or any(len(row) != len(names) for row in rows):
            raise ValueError(f"{path}: the file is cut off; run the program again")
        return {name: [_number(row[place]) for row in rows] for place, name in enumerate(names)}

    @property
    def flows(self) -> Columns:
        """Flows that completed, as in Results.flows."""
        flows = self.table("fct")
        return {**flows, "status": [0] * len(flows["bytes"]),
                "fct_s": [time / 1e9 for time in flows["fct_ns"]],
                "ideal_s": [time / 1e9 for time in flows["ideal_fct_ns"]]}

    @property
    def queues(self) -> Columns:
        """Samples of the queues of switches."""
        return self.table("queue")

    @property
    def pauses(self) -> Columns:
        """Pauses of ports."""
        return self.table("pause")

    @property
    def throughput(self) -> Columns:
        """Samples of the ports of hosts."""
        return self.table("throughput")

    def port_name(self, node: int, port: int) -> str:
        """What a port of a file is called: "leaf 2 port 3", "host 4"."""
        return drawing.place_name(node, port, self._nodes)


def slowdown(results: Shown, axes: Any = None, percentiles: Sequence[float] = (50, 95, 99), *,
             size: Optional[str] = None) -> Any:
    """FCT over ideal FCT, by flow size: ten groups of as many flows each, one line a percentile."""
    return drawing.slowdown(results.flows, axes, percentiles, size=size)


def _by_name(runs: Any, what: str) -> Dict[str, Shown]:
    if not isinstance(runs, Mapping):
        raise TypeError(f"{what} is {runs!r}; it must be a dictionary of Results by label")
    return dict(runs)


def compare(results_by_name: Mapping[str, Shown], axes: Any = None,
            percentile: Union[float, Sequence[float]] = 99, *, column: str = "slowdown",
            size: Optional[str] = None) -> Any:
    """FCT over ideal FCT of several runs in one figure: one line a run, by flow size.

    results_by_name: Results by label; percentile: of the flows of each group of sizes, or several,
    such as (50, 95, 99), with a panel each; column: slowdown, or fct_s for the FCT itself.
    """
    runs = _by_name(results_by_name, "results_by_name")
    percentiles = percentile if isinstance(percentile, (tuple, list)) else (percentile,)
    return drawing.compare_sizes({name: run.flows for name, run in runs.items()}, axes, percentiles,
                                 column, size=size)


def cdf(results: Runs, column: str = "fct_s", axes: Any = None, *, log: Optional[bool] = None,
        size: Optional[str] = None) -> Any:
    """The share of completed flows whose value is not larger, of a run or of several by name.

    column: fct_s, slowdown, bytes or ideal_s; log: whether the axis is logarithmic, None: if the
    values span more than a factor of 30.
    """
    label, _ = drawing.value_of(column)
    runs = results if isinstance(results, Mapping) else {"": results}
    values = {name: [value for _, value in drawing.completed(run.flows, column)]
              for name, run in runs.items()}
    return drawing.cdf(values, axes, title="Distribution over flows", xlabel=label, log=log,
                       size=size)


def queues(results: Runs, axes: Any = None, *, size: Optional[str] = None) -> Any:
    """Bytes in all queues of switches, and in the longest, over time; of several runs by name a line
    each, for all queues."""
    if isinstance(results, Mapping):
        return drawing.over_time({
            name: drawing.sums(run.queues, "bytes", 1e3, run.throughput["time_ns"], run.begin_ns)
            for name, run in results.items()}, axes, size=size, **drawing.QUEUES)
    return drawing.queues(results.queues, results.throughput["time_ns"], axes, begin=results.begin_ns,
                          names=results.port_name, size=size)


def _span(run: Shown, pause: Columns) -> Tuple[int, int]:
    """From the begin of a run to its end, or that of its last pause, ns."""
    ends = [start + duration for start, duration in zip(pause["start_ns"], pause["duration_ns"])]
    return run.begin_ns, max([run.end_ns, *ends])


def pauses(results: Runs, axes: Any = None, bins: int = 200, *,
           size: Optional[str] = None) -> Any:
    """Ports paused, on average, over time: of hosts and of switches, or of several runs by name a
    line each."""
    if not isinstance(results, Mapping):
        pause = results.pauses
        return drawing.pauses(pause, axes, bins, begin=results.begin_ns, span=_span(results, pause),
                              size=size)
    lines = {}
    for name, run in results.items():
        pause = run.pauses
        lines[f"{name} ({len(pause['start_ns'])} pauses)"] = drawing.paused(
            pause, _span(run, pause), bins, begin=run.begin_ns)
    return drawing.over_time(lines, axes, size=size, **drawing.PAUSES)


def throughput(results: Runs, axes: Any = None, *, size: Optional[str] = None) -> Any:
    """What all hosts receive, over time, of a run or of several by name."""
    runs = results if isinstance(results, Mapping) else {"": results}
    return drawing.over_time({
        name: drawing.sums(run.throughput, "rx_bps", 1e9, begin=run.begin_ns)
        for name, run in runs.items()}, axes, size=size, **drawing.THROUGHPUT)


def rates(results: Shown, nodes: Optional[Iterable[int]] = None, direction: str = "rx",
          axes: Any = None, *, size: Optional[str] = None) -> Any:
    """What ports of hosts receive ("rx") or send ("tx") over time, one line a port.

    nodes: of these nodes; None: of the six ports with the most.
    """
    samples = results.throughput
    total: Dict[Tuple[int, int], float] = {}
    for node, port, rate in zip(samples["node"], samples["port"],
                                samples[f"{direction}_bps"] if direction in ("rx", "tx") else ()):
        total[node, port] = total.get((node, port), 0) + rate
    if nodes is None:
        chosen = sorted(sorted(total, key=lambda place: (-total[place], place))[:6])
    else:
        wanted = set(nodes)
        chosen = sorted(place for place in total if place[0] in wanted)
    return drawing.rates(samples, direction, chosen, axes, begin=results.begin_ns,
                         names=results.port_name, size=size)


def heat_map(results: Shown, of: str = "queues", axes: Any = None, *,
             size: Optional[str] = None) -> Any:
    """Time from left to right, a row a port, and colour for how much: of="queues" (bytes queued at
    ports of switches), "rx" or "tx" (rates of ports of hosts)."""
    samples = results.queues if of == "queues" else results.throughput
    return drawing.heat_map(samples, of, results.throughput["time_ns"], axes,
                            begin=results.begin_ns, names=results.port_name, size=size)


def pause_propagation(results: Shown, axes: Any = None, *, size: Optional[str] = None) -> Any:
    """When each port was paused: one line a port, in the order in which pauses reached them."""
    return drawing.pause_propagation(results.pauses, axes, begin=results.begin_ns,
                                     names=results.port_name, size=size)


def _comparison(folder: Folder, size: Optional[str]) -> Any:
    """A panel for each value of comparison.csv, a mark a run."""
    rows = folder.table("comparison")
    schemes = rows.pop("scheme")
    values: Dict[str, Any] = {}
    for row, scheme in enumerate(schemes):
        cells = {name: float(column[row]) if column[row] != "" else float("nan")
                 for name, column in rows.items()}
        values[str(scheme)] = {name.replace("_", " "): (cell, cell, cell)
                               for name, cell in cells.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a value that a run has not
        return drawing.comparison(values, units={}, size=size)


# The plots of folders: name of the figure, the tables that it is made of, how it is drawn. Those of
# one run, and those of several by name.
_OF_ONE: List[Any] = [
    ("fct-slowdown", ("fct",), slowdown), ("fct-cdf", ("fct",), cdf),
    ("queue-length", ("queue", "throughput"), queues),
    ("queue-map", ("queue", "throughput"), heat_map), ("pause", ("pause",), pauses),
    ("throughput", ("throughput",), throughput),
    ("rate-map", ("throughput",), lambda folder, size: heat_map(folder, "rx", size=size)),
    ("ping", ("ping-window",), lambda folder, size: drawing.ping(folder.table("ping-window"),
                                                                 size=size)),
    ("pause-monitor", ("pause-monitor",), lambda folder, size: drawing.pause_monitor(
        folder.table("pause-monitor"), names=folder.port_name, size=size)),
    ("comparison", ("comparison",), _comparison)]
_OF_SEVERAL: List[Any] = [
    ("fct-slowdown", ("fct",), lambda runs, size: compare(runs, percentile=(50, 95, 99), size=size)),
    ("fct", ("fct",), lambda runs, size: compare(runs, percentile=(50, 95, 99), column="fct_s",
                                                 size=size)),
    ("fct-cdf", ("fct",), cdf), ("queue-length", ("queue", "throughput"), queues),
    ("pause", ("pause",), pauses), ("throughput", ("throughput",), throughput)]


def draw_folders(folders: Mapping[str, Any], output: Any, *, size: Optional[str] = None,
                 ending: str = "png") -> List[str]:
    """Write all plots of a folder of results; of several folders by label, those that compare them.
    Returns the paths of the figures.

    folders: path by label; output: the folder for the figures; ending: png, pdf or svg.
    """
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    style.require_some(folders, "folder")
    runs = {label: Folder(path) for label, path in folders.items()}
    first = next(iter(runs.values()))
    figures, shown = (_OF_ONE, first) if len(runs) == 1 else (_OF_SEVERAL, runs)
    drawn = [(name, draw) for name, tables, draw in figures
             if all(run.has(table) for run in runs.values() for table in tables)]
    if not drawn:
        first.table("fct")  # says which file there is not
    os.makedirs(output, exist_ok=True)
    paths = []
    for name, draw in drawn:
        axes = draw(shown, size=size)
        paths.append(os.path.join(os.fspath(output), f"{name}.{ending}"))
        save(axes, paths[-1])
        pyplot.close(axes.figure)
    return paths


class Plots:
    """The plots of one run: results.plot.queues() is lossless.plot.queues(results)."""

    def __init__(self, results: Shown):
        self._results = results
        self.slowdown = types.MethodType(slowdown, results)
        self.cdf = types.MethodType(cdf, results)
        self.queues = types.MethodType(queues, results)
        self.pauses = types.MethodType(pauses, results)
        self.throughput = types.MethodType(throughput, results)
        self.rates = types.MethodType(rates, results)
        self.heat_map = types.MethodType(heat_map, results)
        self.pause_propagation = types.MethodType(pause_propagation, results)

    def __repr__(self) -> str:
        return f"<lossless plots of {self._results!r}>"
