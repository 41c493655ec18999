# SPDX-License-Identifier: GPL-2.0-only
"""What a run has shown."""

import html
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._lossless import Sockets, UnfinishedFlow, read_csv

if TYPE_CHECKING:
    from .plot import Plots

_SUMMARY = "summary.json"  # which every run writes


class Table:
    """Columns of equal length, by name: table["fct_s"].

    A column of numbers is a buffer that numpy.asarray() takes without copying; list() works on
    every column. to_numpy() and to_pandas() need NumPy and pandas.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], title: str = ""):
        self._columns = dict(columns)
        self._title = title

    @property
    def names(self) -> List[str]:
        """Names of the columns."""
        return list(self._columns)

    def __getitem__(self, name: str) -> Sequence[Any]:
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        return self._columns[name]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Rows, as dictionaries."""
        names = self.names
        return (dict(zip(names, row)) for row in zip(*self._columns.values()))

    def __repr__(self) -> str:
        title = f" {self._title}" if self._title else ""
        return f"<lossless.Table{title}: {len(self)} rows of {', '.join(self._columns)}>"

    def _repr_html_(self, rows: int = 10) -> str:
        """The first rows, for notebooks."""
        def line(cells: Iterable[Any], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)

        shown = itertools.islice(zip(*self._columns.values()), rows)
        body = line(self._columns, "th") + "".join(line(row, "td") for row in shown)
        more = f"<p>{len(self)} rows</p>" if len(self) > rows else ""
        return f"<table>{body}</table>{more}"

    def to_dict(self) -> Dict[str, List[Any]]:
        """Lists by name."""
        return {name: list(column) for name, column in self._columns.items()}

    def to_numpy(self) -> Dict[str, Any]:
        """NumPy arrays by name; those of numbers share the memory of the columns."""
        import numpy  # pylint: disable=import-outside-toplevel
        return {name: numpy.asarray(column) for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """A pandas DataFrame."""
        import pandas  # pylint: disable=import-outside-toplevel
        return pandas.DataFrame(self.to_numpy())


# The columns of `applications`, of a run without any.
_APPLICATIONS: Dict[str, List[Any]] = {name: [] for name in Sockets.column_names()}


def _deadlocks(found: Iterable[Dict[str, Any]]) -> "Table":
    """A Table of DeadlockDetector.deadlocks."""
    return Table({
        "time_s": [deadlock["time"].seconds for deadlock in found],
        "end_s": [float("nan") if deadlock["end"] is None else deadlock["end"].seconds
                  for deadlock in found],
        "switches": [len({vertex[0] for vertex in deadlock["cycle"]}) for deadlock in found],
        "frames": [deadlock["frames"] for deadlock in found],
        "flushed_frames": [deadlock["flushed_frames"] for deadlock in found],
        "cycle": [deadlock["cycle"] for deadlock in found],
        "flows": [deadlock["flows"] for deadlock in found]}, "of deadlocks")


def _stamp(path: str) -> Optional[Tuple[int, int, int]]:
    """What tells a file from a later one of the same name; None: there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


class Results:
    """The results of Fabric.run(). Always there:

    flows         one row an RDMA flow that ended: index, source, destination, bytes, traffic_class,
                  status, start_s, fct_s, ideal_s, slowdown
    applications  one row a TCP or UDP flow, as in application.csv: flow, protocol, src, dst (nodes,
                  as in fct.csv), class, bytes (0: no end), start_ns, fct_ns (nan: not completed),
                  bytes_sent, bytes_received, throughput_bps, state
    unfinished    a list of UnfinishedFlow: RDMA flows that have not completed, each with its reason
    deadlocks     one row a deadlock that was found: time_s, end_s (nan: it lasts), switches, frames,
                  flushed_frames, cycle, flows
    faults        one row a fault that began or ended: time_s, what, where, begins

    Those of the CSV files need run(write_to=...), and are read when they are asked for: RuntimeError
    if another run has written to the same folder since.

    pfc         one row a PFC frame and class; pauses: one row a pause
    queues      samples of switch queues; throughput: of host ports
    watchdogs   one row a change of state of a watchdog
    """

    def __init__(self, summary: str, totals: Dict[str, Any], flows: Mapping[str, Sequence[Any]],
                 unfinished: List[UnfinishedFlow], folder: Optional[str], *,
                 applications: Optional[Mapping[str, Sequence[Any]]] = None,
                 deadlocks: Iterable[Dict[str, Any]] = (), faults: Iterable[Any] = (),
                 names: Sequence[str] = ()):
        self._summary = summary
        self._folder = folder
        self._names = list(names)  # of nodes, by number
        self._stamps: Dict[str, Optional[Tuple[int, int, int]]] = {}
        self.totals = totals
        self.flows = Table(flows, "of flows")
        self.unfinished = unfinished
        self.applications = Table(_APPLICATIONS if applications is None else applications,
                                  "of TCP and UDP flows")
        self.deadlocks = _deadlocks(deadlocks)
        self.faults = Table({"time_s": [time.seconds for time, *_ in faults],
                             "what": [what for _, what, _, _ in faults],
                             "where": [where for _, _, where, _ in faults],
                             "begins": [begins for *_, begins in faults]}, "of faults")

    def summary(self) -> str:
        """A table for people."""
        return self._summary

    @property
    def folder(self) -> Optional[str]:
        """Where the CSV files are, or None."""
        return self._folder

    def port_name(self, node: int, port: int) -> str:
        """What a port of a file is called: "leaf 2 port 3", "host 4"."""
        if node >= len(self._names):
            return f"node {node} port {port}"
        name = self._names[node]
        return name if port == 0 and name.startswith("host ") else f"{name} port {port}"

    @property
    def plot(self) -> "Plots":
        """The plots of this run: results.plot.slowdown(size="column"); see lossless.plot."""
        from .plot import Plots  # pylint: disable=import-outside-toplevel, cyclic-import
        return Plots(self)

    def _files_are_complete(self) -> None:
        """The run has written its files: remember which they are."""
        if self._folder is not None:
            self._stamps = {name: _stamp(os.path.join(self._folder, name))
                            for name in {_SUMMARY, *os.listdir(self._folder)}}

    def _require_own(self, file: str) -> None:
        """RuntimeError if a file of the run is there no more, or another one in its place."""
        assert self._folder is not None
        for name in (file, _SUMMARY):
            path = os.path.join(self._folder, name)
            if name in self._stamps and _stamp(path) != self._stamps[name]:
                raise RuntimeError(f"{path} is no longer of this run: another one has written to "
                                   f"{self._folder!r}, or it was changed; give each run a "
                                   "write_to=... of its own")

    def table(self, name: str) -> Table:
        """The table of a CSV file, such as "queue"."""
        if self._folder is None:
            raise ValueError(f"there is no {name}.csv; run(write_to=\"results\") writes files")
        self._require_own(name + ".csv")
        return Table(read_csv(os.path.join(self._folder, name + ".csv")), name)

    @property
    def pfc(self) -> Table:
        """PFC frames sent."""
        return self.table("pfc")

    @property
    def pauses(self) -> Table:
        """Pauses of ports."""
        return self.table("pause")

    @property
    def queues(self) -> Table:
        """Samples of the queues of switches."""
        return self.table("queue")

    @property
    def throughput(self) -> Table:
        """Samples of the ports of hosts."""
        return self.table("throughput")

    @property
    def watchdogs(self) -> Table:
        """Changes of state of watchdogs; no rows where there was no watchdog."""
        if self._folder is not None and "watchdog.csv" not in self._stamps:
            self._require_own("watchdog.csv")
            return Table({}, "of watchdogs")
        return self.table("watchdog")

    def _repr_html_(self) -> str:
        """The table for people, for notebooks."""
        return f"<pre>{html.escape(self._summary)}</pre>"

    def __repr__(self) -> str:
        done, total = self.totals["flows_completed"], self.totals["flows_total"]
        return f"<lossless.Results: {done} of {total} flows completed>"
