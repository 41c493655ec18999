# SPDX-License-Identifier: GPL-2.0-only
"""Plots of Results, with matplotlib, in one style: see style.py.

Each function makes a figure of a size, "column" (of a paper), "wide" or "slide", or draws on axes
that are given, and returns the axes; save(axes, "x.pdf") writes the figure. results.plot has the
same functions as methods: results.plot.slowdown(size="column").
"""

from collections.abc import Mapping, Sequence
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from . import drawing
from .results import Results
from .style import save, sheet
from .types import as_mapping

__all__ = ["cdf", "compare", "heat_map", "pause_propagation", "pauses", "queues", "rates", "save",
           "sheet", "slowdown", "throughput"]

Runs = Union[Results, Mapping[str, Results]]
# What cdf() can show: of a column of results.flows the axis, and what one of it is.
_VALUES = {"fct_s": ("flow completion time (us)", 1e6), "slowdown": ("FCT / ideal FCT", 1),
           "bytes": ("flow size (KB)", 1e-3), "ideal_s": ("ideal FCT (us)", 1e6)}


def slowdown(results: Results, axes: Any = None, percentiles: Sequence[float] = (50, 95, 99), *,
             size: Optional[str] = None) -> Any:
    """FCT over ideal FCT, by flow size: ten groups of as many flows each, one line a percentile."""
    return drawing.slowdown(results.flows, axes, percentiles, size=size)


def compare(results_by_name: Mapping[str, Results], axes: Any = None, percentile: float = 99, *,
            size: Optional[str] = None) -> Any:
    """FCT over ideal FCT of several runs in one figure: one line a run, by flow size.

    results_by_name: Results by label; percentile: of the flows of each group of sizes.
    """
    runs = as_mapping(results_by_name, "results_by_name", "a dictionary of Results by label")
    return drawing.compare_slowdown({name: results.flows for name, results in runs.items()},
                                    axes, percentile, size=size)


def cdf(results: Runs, column: str = "fct_s", axes: Any = None, *, log: Optional[bool] = None,
        size: Optional[str] = None) -> Any:
    """The share of completed flows whose value is not larger, of a run or of several by name.

    column: fct_s, slowdown, bytes or ideal_s; log: whether the axis is logarithmic, None: if the
    values span more than a factor of 30.
    """
    if column not in _VALUES:
        raise ValueError(f"column is {column!r}; it must be one of {', '.join(_VALUES)}")
    label, unit = _VALUES[column]
    runs = results if isinstance(results, Mapping) else {"": results}
    values: Dict[str, List[float]] = {
        name: [value * unit for value, status in zip(run.flows[column], run.flows["status"])
               if status == 0] for name, run in runs.items()}
    return drawing.cdf(values, axes, title="Distribution over flows", xlabel=label, log=log,
                       size=size)


def queues(results: Results, axes: Any = None, *, size: Optional[str] = None) -> Any:
    """Bytes in all queues of switches, and in the longest, over time."""
    return drawing.queues(results.queues, results.throughput["time_ns"], axes,
                          names=results.port_name, size=size)


def pauses(results: Results, axes: Any = None, bins: int = 200, *,
           size: Optional[str] = None) -> Any:
    """Ports paused, on average, over time."""
    return drawing.pauses(results.pauses, axes, bins, size=size)


def throughput(results: Results, axes: Any = None, *, size: Optional[str] = None) -> Any:
    """What all hosts receive, over time."""
    return drawing.throughput(results.throughput, axes, size=size)


def rates(results: Results, nodes: Optional[Iterable[int]] = None, direction: str = "rx",
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
    return drawing.rates(samples, direction, chosen, axes, names=results.port_name, size=size)


def heat_map(results: Results, of: str = "queues", axes: Any = None, *,
             size: Optional[str] = None) -> Any:
    """Time from left to right, a row a port, and colour for how much: of="queues" (bytes queued at
    ports of switches), "rx" or "tx" (rates of ports of hosts)."""
    samples = results.queues if of == "queues" else results.throughput
    return drawing.heat_map(samples, of, results.throughput["time_ns"], axes,
                            names=results.port_name, size=size)


def pause_propagation(results: Results, axes: Any = None, *, size: Optional[str] = None) -> Any:
    """When each port was paused: one line a port, in the order in which pauses reached them."""
    return drawing.pause_propagation(results.pauses, axes, names=results.port_name, size=size)


class Plots:
    """The plots of one run: results.plot.queues(). Those of several runs are in lossless.plot."""

    def __init__(self, results: Results):
        self._results = results

    def slowdown(self, axes: Any = None, percentiles: Sequence[float] = (50, 95, 99), *,
                 size: Optional[str] = None) -> Any:
        """FCT over ideal FCT, by flow size, one line a percentile."""
        return slowdown(self._results, axes, percentiles, size=size)

    def cdf(self, column: str = "fct_s", axes: Any = None, *, log: Optional[bool] = None,
            size: Optional[str] = None) -> Any:
        """The distribution of fct_s, slowdown, bytes or ideal_s over flows."""
        return cdf(self._results, column, axes, log=log, size=size)

    def queues(self, axes: Any = None, *, size: Optional[str] = None) -> Any:
        """Bytes in all queues of switches, and in the longest, over time."""
        return queues(self._results, axes, size=size)

    def pauses(self, axes: Any = None, bins: int = 200, *, size: Optional[str] = None) -> Any:
        """Ports paused, on average, over time."""
        return pauses(self._results, axes, bins, size=size)

    def throughput(self, axes: Any = None, *, size: Optional[str] = None) -> Any:
        """What all hosts receive, over time."""
        return throughput(self._results, axes, size=size)

    def rates(self, nodes: Optional[Iterable[int]] = None, direction: str = "rx",
              axes: Any = None, *, size: Optional[str] = None) -> Any:
        """What ports of hosts receive or send over time, one line a port."""
        return rates(self._results, nodes, direction, axes, size=size)

    def heat_map(self, of: str = "queues", axes: Any = None, *, size: Optional[str] = None) -> Any:
        """Queues or rates over time and port."""
        return heat_map(self._results, of, axes, size=size)

    def pause_propagation(self, axes: Any = None, *, size: Optional[str] = None) -> Any:
        """When each port was paused, in the order in which pauses reached them."""
        return pause_propagation(self._results, axes, size=size)

    def __repr__(self) -> str:
        return f"<lossless plots of {self._results!r}>"
